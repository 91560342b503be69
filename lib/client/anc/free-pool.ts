import { UsageError } from '../../errors.ts';
import type { EndpointPool, ErsClient } from '../types.ts';
import { clearEndpoint, UnreadableState, walkHoldings } from './state.ts';

/** A pool of which endpoints that hold a policy are left out once it has looked. */
export interface FreePool extends EndpointPool {
  /**
   * Looks which endpoints hold a policy and leaves them out, or clears them first where they are taken over. Throws
   * `UsageError` where none is left.
   */
  readonly settle: (client: ErsClient, takeOver: boolean) => Promise<void>;
}

/** MAC addresses that hold a policy; undefined where the target does not tell. */
async function holders(client: ErsClient): Promise<readonly string[] | undefined> {
  try {
    const held = await walkHoldings(client);
    return held === null ? undefined : [...held.keys()];
  } catch (fault) {
    if (fault instanceof UnreadableState) return undefined;
    throw fault;
  }
}

/**
 * A view of a pool: the checks take only endpoints that held nothing when the run began. No policy of somebody else is
 * lost, and what an earlier run could not clear does not spoil this one.
 */
export function freePool(pool: EndpointPool): FreePool {
  let held: readonly number[] = [];
  let isKnown = false;
  const beyond = (index: number) => held.reduce((at, taken) => (taken <= at ? at + 1 : at), index);
  const inPool = async (client: ErsClient) => {
    const macs = await holders(client);
    return macs?.flatMap((mac) => (pool.has(mac) ? [{ mac, index: pool.indexOf(mac) }] : []));
  };
  const indexOf = (address: string): number | undefined => {
    const index = pool.indexOf(address);
    // One that was held before has no number here: no check takes it.
    if (index === undefined || held.includes(index)) return undefined;
    return index - held.filter((taken) => taken < index).length;
  };
  return {
    get size() {
      return pool.size - held.length;
    },
    at: (index) => pool.at(beyond(index)),
    has: pool.has,
    indexOf,
    wasFree: (address) => (isKnown ? indexOf(address) !== undefined : undefined),
    async settle(client, takeOver) {
      let found = await inPool(client);
      if (takeOver && found !== undefined && found.length > 0) {
        for (const { mac } of found) await clearEndpoint(client, mac);
        found = await inPool(client);
      }
      isKnown = found !== undefined;
      held = (found ?? []).flatMap(({ index }) => index ?? []).sort((a, b) => a - b);
      if (held.length > 0 && held.length >= pool.size) {
        throw new UsageError('pool-held', `all ${pool.size} endpoints of the pool hold a policy`, {
          hint: takeOver
            ? 'the target does not clear them; use other --endpoints'
            : 'use other --endpoints, or --take-over to clear these; their policies are then lost',
        });
      }
    },
  };
}
