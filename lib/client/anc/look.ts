import pLimit from 'p-limit';
import { isUsableId } from '../safety/record-identity.ts';
import { normalAddress } from '../safety/targets.ts';
import type { ErsClient } from '../types.ts';
import { lookupOf } from './lookup.ts';
import {
  type Holding,
  holderListed,
  holdingByFilter,
  holdingTotal,
  ifReadable,
  learnLookup,
  readAnc,
  type SeenHoldings,
  seenHoldings,
  WALK_LIMIT,
} from './state.ts';

/** Endpoints that the filter is asked for between two questions for one that is known to hold a policy. */
const BETWEEN = 100;

/** Endpoints that are cleared on one look, at most: a look costs as much as they do. */
const LOOKED_AT = 500;

const NOTHING_SEEN: SeenHoldings = { held: new Map(), records: new Map(), ids: [], isWhole: false };

/** What a walk of the list shows; nothing if no page can be read, or more are listed than are walked. */
export async function walked(
  client: ErsClient,
  among: (mac: string) => boolean,
  total: number | null = 0,
): Promise<SeenHoldings> {
  const seen = total === null || total > WALK_LIMIT ? undefined : await ifReadable(seenHoldings(client, among));
  return seen ?? NOTHING_SEEN;
}

/**
 * What endpoints hold as the filter tells, by MAC address; one that is missing was not seen. A filter that finds nothing is believed only
 * between two questions in which it finds an endpoint that the list shows with a policy.
 */
async function filtered(
  client: ErsClient,
  macs: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Holding>> {
  const seen = new Map<string, Holding>();
  const known = await holderListed(client);
  if (macs.length === 0) return seen;
  if (known !== undefined) await learnLookup(client, known);
  // Where nothing is listed any more that can be read, what it found before in this run has to do.
  const finds = async () =>
    known === undefined ? lookupOf(client).finds : (await holdingByFilter(client, known)) != null;
  const slots = pLimit(client.options.target.connections);
  for (let from = 0; from < macs.length && !lookupOf(client).misses && (await finds()); from += BETWEEN) {
    signal?.throwIfAborted();
    const part = macs.slice(from, from + BETWEEN);
    const told = await slots.map(part, (mac) => holdingByFilter(client, mac));
    // Whoever holds a policy may be cleared meanwhile by its owner: then nothing is known of these.
    if (!(await finds())) break;
    for (const [at, mac] of part.entries()) {
      const holding = told[at];
      if (holding !== undefined) seen.set(normalAddress(mac), holding);
    }
  }
  return seen;
}

interface Held extends Pick<SeenHoldings, 'records' | 'isWhole'> {
  readonly holdings: ReadonlyMap<string, Holding>;
}

/**
 * What endpoints hold: by a walk of the list if that is short or `among` asks for others too,
 * else by the filter, then by a walk. One that is missing was not seen, unless `isWhole`.
 */
export async function holdingsOf(
  client: ErsClient,
  addresses: readonly string[],
  { among, signal }: { readonly among?: (mac: string) => boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<Held> {
  const macs = new Set(addresses.map(normalAddress));
  let total = await holdingTotal(client);
  const walk = async (isSecond = false): Promise<Held> => {
    const seen = await walked(client, (mac) => macs.has(mac) || among?.(mac) === true, total ?? 0);
    const { held, records } = seen;
    // Somebody may have cleared one in between; a list that is short again says nothing of what it leaves out.
    const isShort = seen.isWhole && seen.ids.length < (total ?? 0);
    if (isShort && !isSecond) {
      total = await holdingTotal(client);
      return walk(true);
    }
    const isWhole = seen.isWhole && !isShort;
    const free: Iterable<readonly [string, Holding]> = isWhole ? [...macs].map((mac) => [mac, null] as const) : [];
    return { holdings: new Map<string, Holding>([...free, ...held]), records, isWhole };
  };
  const isFirst = among !== undefined || (total !== null && total <= macs.size);
  const first = isFirst ? await walk() : undefined;
  if (first?.isWhole === true) return first;
  const told = await filtered(client, [...macs], signal);
  const last = first ?? (told.size === macs.size ? undefined : await walk());
  if (last?.isWhole === true) return last;
  return {
    holdings: new Map([...told, ...(last?.holdings ?? [])]),
    records: last?.records ?? new Map(),
    isWhole: false,
  };
}

/** Does the work in parts: `work` gives back those of a part that a look did not prove for long enough (`lookedNow`), and the next part is as large as its pace allows. */
export async function inParts<Item>(items: readonly Item[], work: (part: readonly Item[]) => Promise<readonly Item[]>) {
  let size = LOOKED_AT;
  for (let open = items; open.length > 0; ) {
    const late = await work(open.slice(0, size));
    open = [...late, ...open.slice(size)];
    size = Math.max(1, Math.min(2 * (size - late.length), LOOKED_AT));
  }
}

export const MOST_NEW = 500;

/** Endpoints outside of the pool that came to hold a policy of the run: it went there instead, or somebody else uses it too. */
export async function landedOutside(client: ErsClient, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { pool, policies, target } = client.options;
  const landed = new Map<string, string>();
  if (policies === undefined) return landed;
  await pLimit(target.connections).map(ids.slice(0, MOST_NEW), async (id) => {
    const record = isUsableId(id) ? await readAnc(client, id).catch(() => null) : null;
    if (record === null || pool?.indexOf(record.mac) !== undefined) return;
    if (policies.includes(record.policy)) landed.set(record.mac, record.policy);
  });
  return landed;
}
