import {
  clearEndpoint,
  type Holding,
  holdingByFilter,
  holdingOf,
  holdingReader,
  holdingTotal,
  seenHoldings,
  WALK_LIMIT,
} from '../anc/state.ts';
import type { Persistence } from '../http/retry-with-backoff.ts';
import type { ErsClient } from '../types.ts';
import { endpointResidue, type Residue, unknownHolders } from './residue.ts';

function macOfEndpoint(client: ErsClient, address: string): string {
  const { pool } = client.options;
  const index = pool?.indexOf(address);
  return index === undefined ? address : (pool?.at(index).macAddress ?? address);
}

/** What a walk of the list shows beside what the filter said. */
interface ListedAfterAll {
  readonly hidden: readonly string[];
  /** False where the list was not read to its end: others may hold a policy too. */
  readonly isWhole: boolean;
}

const wasFree = (client: ErsClient, mac: string) => client.options.pool?.wasFree?.(mac) === true;

/**
 * Endpoints that a walk of the list finds with a policy of this run. Some are addresses of the run, where the filter that
 * said otherwise does not work. Others are endpoints of the pool that held nothing before: a policy went there instead of
 * to the endpoint that was named.
 */
async function listedAfterAll(client: ErsClient, asked: ReadonlySet<string>): Promise<ListedAfterAll> {
  const { policies } = client.options;
  const total = await holdingTotal(client);
  if (total !== null && total > WALK_LIMIT) return { hidden: [], isWhole: false };
  const isOurs = (policy: string) => policy === '' || policies?.includes(policy) === true;
  const { held, isWhole } = await seenHoldings(client, (mac) => asked.has(mac) || wasFree(client, mac));
  const hidden = [...held].flatMap(([mac, policy]) => (isOurs(policy) ? [mac] : []));
  return { hidden, isWhole };
}

/** Clears what a walk of the list finds beside the endpoints asked for, until it finds none; returns what it may have left. */
async function clearHidden(
  client: ErsClient,
  { persist }: Persistence,
  asked: ReadonlySet<string>,
): Promise<ListedAfterAll> {
  // What one try saw is not forgotten where the next one sees nothing.
  const hidden = new Set<string>();
  let isWhole = false;
  await persist(async () => {
    isWhole = false;
    const listed = await listedAfterAll(client, asked);
    if (listed.isWhole) hidden.clear();
    for (const mac of listed.hidden) hidden.add(mac);
    for (const mac of hidden) {
      // Only a filter that shows an endpoint before its clear can say after it that it holds nothing.
      const isFound = !listed.isWhole && !asked.has(mac) && (await holdingByFilter(client, mac)) != null;
      await clearEndpoint(client, mac);
      if (isFound && (await holdingByFilter(client, mac)) === null) hidden.delete(mac);
    }
    isWhole = listed.isWhole;
    return listed.hidden.length === 0;
  });
  return { hidden: [...hidden], isWhole };
}

/** Clears every endpoint this run touched; returns those that still hold a policy. A look may show further ones while it works. */
async function clearAll(client: ErsClient, tries: Persistence): Promise<readonly string[]> {
  const { policies } = client.options;
  const look = holdingReader(client);
  const holds = new Set(client.applied());
  const seen = new Set<string>();
  const left: string[] = [];
  const fresh = () => client.touched().filter((address) => !seen.has(address));
  for (let items = fresh(); items.length > 0; items = fresh()) {
    for (const address of items) seen.add(address);
    left.push(
      ...(await tries.inRounds({
        items,
        group: () => '',
        atOnce: client.options.target.connections,
        async work(address) {
          const mac = macOfEndpoint(client, address);
          // Somebody else may have put another policy on it since: that one stays.
          const isTheirs = (held: Holding) => held !== null && held !== '' && policies?.includes(held) !== true;
          const before = await look(mac).catch(() => null);
          if (holds.has(address) && !isTheirs(before)) await clearEndpoint(client, mac);
          const after = isTheirs(before) ? before : await holdingOf(client, mac);
          if (after !== null && !isTheirs(after)) {
            holds.add(address);
            return false;
          }
          client.mark('cleared', address);
          return true;
        },
      })),
    );
  }
  return left;
}

/** Clears every endpoint this run touched and proves by the list that it holds nothing; returns those that still do. */
export async function clearTouched(client: ErsClient, tries: Persistence): Promise<Residue[]> {
  if (client.touched().length === 0) return [];
  const left = await clearAll(client, tries);
  const touched = client.touched();
  const leftMacs = new Set(left.map((address) => macOfEndpoint(client, address)));
  const macs = touched.map((address) => macOfEndpoint(client, address));
  const asked = new Set(macs.filter((mac) => !leftMacs.has(mac)));
  const { hidden, isWhole } = await clearHidden(client, tries, asked);
  const residue = [...new Set([...leftMacs, ...hidden])].map((mac) => endpointResidue(client, mac));
  // Where the pool was never walked, a policy on another of its endpoints was not to be seen before either.
  const isKnown = isWhole || !macs.some((mac) => wasFree(client, mac));
  return isKnown ? residue : [...residue, unknownHolders(client)];
}
