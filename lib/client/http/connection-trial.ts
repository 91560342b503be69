import pLimit from 'p-limit';
import { TargetError } from '../../errors.ts';
import type { ConnectionTrial } from '../types.ts';
import type { Transport, WireRequest } from './transport.ts';

/** Faults by which a target turns a connection away. */
export const TURNED_AWAY: ReadonlySet<string> = new Set(['reset', 'refused']);

/** Further connections that are all turned away before a cap is believed: some targets lose one by chance. */
const CONTROLS = 5;

/**
 * Opens up to so many connections, each with one request, a few at a time, and keeps them open. One that is turned away shows a cap only if
 * further ones are turned away too while those that were answered stay open.
 */
export async function tryConnections(
  open: () => Transport,
  request: WireRequest,
  { wanted, atOnce }: { readonly wanted: number; readonly atOnce: number },
): Promise<ConnectionTrial> {
  const held: Transport[] = [];
  const found = { served: 0, refused: 0 };
  /** True if the connection was turned away; of a time limit, neither is known. */
  const isRefused = async () => {
    const connection = open();
    held.push(connection);
    try {
      await connection.once(request);
      found.served += 1;
    } catch (fault) {
      const isTurnedAway = fault instanceof TargetError && TURNED_AWAY.has(fault.code);
      if (isTurnedAway) found.refused += 1;
      return isTurnedAway;
    }
    return false;
  };
  try {
    const unlessRefused = () => (found.refused === 0 ? isRefused() : undefined);
    await pLimit(atOnce).map(Array.from({ length: wanted }), unlessRefused);
    const none = { asked: wanted, served: wanted };
    if (found.refused === 0 || found.served === 0) return none;
    for (let control = 0; control < CONTROLS; control += 1) if (!(await isRefused())) return none;
    return { asked: found.served + found.refused, served: found.served };
  } finally {
    await Promise.all(held.map((connection) => connection.close()));
  }
}
