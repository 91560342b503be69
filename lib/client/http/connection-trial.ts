import { TargetError } from '../../errors.ts';
import type { ConnectionTrial } from '../types.ts';
import type { Transport, WireRequest } from './transport.ts';

/** Faults by which a target turns a connection away. */
export const TURNED_AWAY: ReadonlySet<string> = new Set(['reset', 'refused']);

/** Further connections that are all turned away before a cap is believed: some targets lose one by chance. */
const CONTROLS = 5;

const isTurnedAway = (fault: unknown): boolean => fault instanceof TargetError && TURNED_AWAY.has(fault.code);

/** True where a further connection is turned away. */
async function refusesOne(open: (connections: number) => Transport, request: WireRequest): Promise<boolean> {
  const further = open(1);
  try {
    await further.once(request);
    return false;
  } catch (fault) {
    return isTurnedAway(fault);
  } finally {
    await further.close();
  }
}

/**
 * Opens so many connections at once, each with one request, and counts those that are answered. Where some are turned away, further ones
 * are opened while the answered ones stay open: only where all of these are turned away too is it a cap.
 */
export async function tryConnections(
  open: (connections: number) => Transport,
  request: WireRequest,
  asked: number,
): Promise<ConnectionTrial> {
  const held = open(asked);
  try {
    const endings = await Promise.allSettled(Array.from({ length: asked }, () => held.once(request)));
    const refused = endings.filter((ending) => ending.status === 'rejected' && isTurnedAway(ending.reason)).length;
    const answered = endings.filter(({ status }) => status === 'fulfilled').length;
    if (refused === 0 || answered === 0) return { asked, served: asked };
    for (let control = 0; control < CONTROLS; control += 1) {
      if (!(await refusesOne(open, request))) return { asked, served: asked };
    }
    return { asked, served: answered };
  } finally {
    await held.close();
  }
}
