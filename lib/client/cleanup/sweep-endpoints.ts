import pLimit from 'p-limit';
import type { JournalEntry } from '../../records/conformance.ts';
import { permutation } from '../../wire/endpoint.ts';
import { readPool } from '../anc/pool.ts';
import { holdingOf, holdingTotal, walkHoldings } from '../anc/state.ts';
import { normalAddress } from '../safety/targets.ts';
import type { EndpointPool, ErsClient } from '../types.ts';
import type { JournalRest } from './outstanding.ts';

type Wave = NonNullable<JournalEntry['endpoints']>;

/** An endpoint that holds a policy. */
export interface Holder {
  readonly macAddress: string;
  readonly policy: string;
}

/** Below this many records it is cheaper to read them all than to ask for each endpoint. */
const WALK_LIMIT = 5000;

/** MAC and IP addresses of the endpoints of a wave, in order of use. */
function addressesOf({ source, offset, size, seed, count }: Wave): { macAddress: string; ipAddress?: string }[] {
  const spec =
    source.kind === 'file'
      ? source.path
      : `${source.firstMac}+${offset + size}${source.firstIp === undefined ? '' : `@${source.firstIp}`}`;
  const pool = readPool(spec, { allowForeign: true });
  const order = permutation(size, seed);
  return Array.from({ length: count }, (_, seq) => pool.at(offset + order(seq)));
}

/**
 * Every endpoint that a journal names, once, as a pool that only these are in. `known` is the pool that the run was given:
 * it tells the MAC address of an endpoint that was named by its IP address. Throws `UsageError` where a pool's file is gone.
 */
export function poolOfJournal(
  { endpoints, waves }: Pick<JournalRest, 'endpoints' | 'waves'>,
  known?: EndpointPool,
): EndpointPool {
  const members: { macAddress: string; ipAddress?: string }[] = [];
  const index = new Map<string, number>();
  const add = (member: { macAddress: string; ipAddress?: string }) => {
    const there = index.get(normalAddress(member.macAddress));
    if (there === undefined) members.push(member);
    for (const address of Object.values(member)) index.set(normalAddress(address), there ?? members.length - 1);
  };
  for (const wave of waves) for (const member of addressesOf(wave)) add(member);
  for (const address of endpoints) {
    const number = known?.indexOf?.(address);
    if (!index.has(address))
      add(number === undefined ? { macAddress: address } : (known?.at(number) ?? { macAddress: address }));
  }
  const indexOf = (address: string) => index.get(normalAddress(address));
  return {
    size: members.length,
    at(number) {
      const member = members[number];
      if (member === undefined) throw new RangeError(`the journal names no endpoint ${number}`);
      return member;
    },
    has: (address) => indexOf(address) !== undefined,
    indexOf,
  };
}

/** Those endpoints of the pool that hold a policy, whichever it is. */
export async function searchHolders(client: ErsClient, pool: EndpointPool): Promise<readonly Holder[]> {
  if (pool.size === 0) return [];
  const total = await holdingTotal(client);
  if (total === 0) return [];
  const all = total !== null && total <= Math.max(WALK_LIMIT, pool.size) ? await walkHoldings(client) : null;
  const macs = Array.from({ length: pool.size }, (_, index) => pool.at(index).macAddress);
  const slots = pLimit(client.options.target.connections);
  const looked = await Promise.all(
    macs.map(async (macAddress) => {
      const policy =
        all === null ? await slots(() => holdingOf(client, macAddress)) : (all.get(normalAddress(macAddress)) ?? null);
      return policy === null ? [] : [{ macAddress, policy }];
    }),
  );
  return looked.flat();
}
