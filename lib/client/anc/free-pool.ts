import { defined } from '../../defined.ts';
import { UsageError } from '../../errors.ts';
import { count } from '../../text.ts';
import { ancBody, normalAddress } from '../safety/targets.ts';
import type { EndpointPool, ErsClient } from '../types.ts';
import { holdingsOf } from './look.ts';
import { clearEndpoint, holdingByFilter, ifReadable } from './state.ts';

/** Endpoints that are asked for one by one where the list cannot be walked; the checks need far fewer. */
const MOST_ASKED = 256;

/** Looks which endpoints hold a policy, `among` the first so many. `isKnown` is false if one of those was not seen. */
async function look(client: ErsClient, pool: EndpointPool) {
  const macs = Array.from({ length: Math.min(MOST_ASKED, pool.size) }, (_, index) => pool.at(index).macAddress);
  const among = (mac: string) => pool.indexOf(mac) !== undefined;
  const { holdings, isWhole } = await holdingsOf(client, macs, { among });
  const isFree = (mac: string) => holdings.get(normalAddress(mac)) === null;
  const holders = isWhole ? [...holdings.keys()] : macs;
  const held = holders.filter((mac) => !isFree(mac)).flatMap((mac) => pool.indexOf(mac) ?? []);
  const isKnown = macs.every((mac) => holdings.has(normalAddress(mac)));
  return { held, among: isWhole ? pool.size : macs.length, isKnown };
}

/** Looks at the endpoints of an apply or a clear that hold nothing of the run: the client refuses one that somebody else put a policy on since. */
export async function lookBeforeAnc(client: ErsClient, fields: unknown): Promise<void> {
  const { pool } = client.options;
  const quiet = client.view({ label: 'ownership' });
  for (const address of ancBody(JSON.stringify(fields) ?? '')?.endpoints ?? []) {
    const index = pool?.wasFree === undefined ? undefined : pool.indexOf(address);
    const mac = index === undefined ? undefined : pool?.at(index).macAddress;
    if (mac === undefined || client.lastSaid(address) !== 'nothing') continue;
    // One that cannot be read is not known to be of somebody else.
    await ifReadable(holdingByFilter(quiet, mac));
  }
}

/** A view of a pool with only the endpoints that held nothing when the run began. Empty if nothing could be seen. */
export function freePool(pool: EndpointPool) {
  let held: readonly number[] = [];
  let among = pool.size;
  let isSettled = false;
  const beyond = (index: number) => held.reduce((at, taken) => (taken <= at ? at + 1 : at), index);
  const indexOf = (address: string): number | undefined => {
    const index = pool.indexOf(address);
    if (index === undefined || index >= among || held.includes(index)) return undefined;
    return index - held.filter((taken) => taken < index).length;
  };
  return {
    get size() {
      return among - held.length;
    },
    at: (index: number) => pool.at(beyond(index)),
    indexOf,
    ...defined({ held: pool.held }),
    wasFree: (address: string) => isSettled && indexOf(address) !== undefined,
    /** Looks which endpoints hold a policy, and leaves them out, or clears them if they are taken over. Gives how many it cleared; throws if none is left. */
    async settle(client: ErsClient, takeOver: boolean): Promise<number> {
      let found = await look(client, pool);
      const were = found.held.length;
      if (takeOver && found.held.length > 0) {
        for (const index of found.held) await clearEndpoint(client, pool.at(index).macAddress);
        found = await look(client, pool);
      }
      held = [...found.held].sort((a, b) => a - b);
      among = found.among;
      isSettled = true;
      const hint = takeOver
        ? 'the target does not clear them; use other --endpoints'
        : 'use other --endpoints, or --take-over to clear these; their policies are then lost';
      if (found.isKnown && held.length > 0 && held.length >= pool.size)
        throw new UsageError('pool-held', `all ${count(pool.size)} endpoints of the pool hold a policy`, { hint });
      return takeOver ? Math.max(0, were - held.length) : 0;
    },
  };
}
