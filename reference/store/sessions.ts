import { indexOfMac, ipOf, macOf } from '../../lib/wire/endpoint.ts';

/** Live sessions of the deployment: which endpoint has which address. */
export interface Sessions {
  readonly count: number;
  /** MAC address of the session with this IP address; undefined where there is none. */
  readonly macOfIp: (ip: string) => string | undefined;
  readonly hasMac: (mac: string) => boolean;
  /** The pool in the syntax of --endpoints: first MAC + count @ first IP. */
  readonly range: string;
}

function indexOfIp(ip: string): number | undefined {
  const parts = /^10\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(ip);
  if (parts === null) return undefined;
  const bytes = parts.slice(1).map(Number);
  if (bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** A table of sessions that is computed and not stored: ready at once at any size. */
export function createSessions(count: number): Sessions {
  const inTable = (index: number | undefined): index is number => index !== undefined && index < count;
  return {
    count,
    macOfIp: (ip) => {
      const index = indexOfIp(ip);
      return inTable(index) ? macOf(index) : undefined;
    },
    hasMac: (mac) => {
      const index = indexOfMac(mac);
      return inTable(index) && macOf(index) === mac;
    },
    range: `${macOf(0)}+${count}@${ipOf(0)}`,
  };
}
