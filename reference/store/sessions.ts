import { ipOf, macOf } from '../../lib/wire/endpoint.ts';

/** One live session: an endpoint, its address, and what it is authorized for. */
interface Session {
  readonly macAddress: string;
  readonly ipAddress: string;
  /** Number of times that its authorization changed. */
  changes: number;
  /** Policy that it was last authorized with; null for none. */
  policyName: string | null;
}

/** Live sessions of the deployment, a record each, found by either address: memory grows with their number, as it does on a real one. */
export interface Sessions {
  /** MAC address of the session with this IP address; undefined where there is none. */
  readonly macOfIp: (ip: string) => string | undefined;
  /** Authorizes the session of this endpoint with a policy, or with none; false where it has no session. */
  readonly authorize: (mac: string, policyName: string | null) => boolean;
}

/** The pool in the syntax of --endpoints: first MAC + count @ first IP. */
export function sessionRange(count: number): string {
  return `${macOf(0)}+${count}@${ipOf(0)}`;
}

/** A table of `count` sessions. */
export function createSessions(count: number): Sessions {
  const byMac = new Map<string, Session>();
  const byIp = new Map<string, Session>();
  for (let index = 0; index < count; index += 1) {
    const session: Session = { macAddress: macOf(index), ipAddress: ipOf(index), changes: 0, policyName: null };
    byMac.set(session.macAddress, session);
    byIp.set(session.ipAddress, session);
  }
  return {
    macOfIp: (ip) => byIp.get(ip)?.macAddress,
    authorize: (mac, policyName) => {
      const session = byMac.get(mac);
      if (session === undefined) return false;
      session.policyName = policyName;
      session.changes += 1;
      return true;
    },
  };
}
