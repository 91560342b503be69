import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { TargetError } from '../../errors.ts';
import { MAC } from '../../wire/endpoint.ts';
import { readEntries } from '../http/read-entries.ts';
import type { ListEntry } from '../safety/record-identity.ts';
import { normalAddress } from '../safety/targets.ts';
import type { ClientOptions, ErsClient } from '../types.ts';
import { ancFamilyOf } from './lookup.ts';
import { readAnc } from './state.ts';

const EVERY_MS = 250;
/** Looks that do not show a record before one that does. */
const LEAST_LOOKS = 3;
const PAGE_SIZE = 100;
/** Pages of the list that a look reads at most, and records of it whose endpoint no entry names. */
const MOST_PAGES = 200;
const MOST_READ = 200;

interface Watch {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** How long a write of the run may take to show. */
  readonly settleMs: number;
  /** True for an endpoint that a write of the run named: what becomes of it may be the work of the target. */
  readonly isNamed?: (macAddress: string) => boolean;
}

/** What is known of others in the pool of a client, and how often it was watched in vain: after some times, nobody is taken to be there. */
const KNOWN = new WeakMap<ClientOptions, { why: string | undefined; inVain: number }>();
const MOST_IN_VAIN = 3;

const knownOf = ({ options }: ErsClient) => {
  const known = KNOWN.get(options) ?? { why: undefined, inVain: 0 };
  KNOWN.set(options, known);
  return known;
};

/** Why the pool of the run is known to be used by somebody else too; undefined if it is not. */
export const sharedPool = (client: ErsClient): string | undefined => knownOf(client).why;

/** Endpoints that no write of the run names, and that a look showed with a policy of it: it went there, or somebody else put it there. */
export const strayed = (client: ErsClient): readonly string[] =>
  client.touched().filter((address) => !client.isNamed(address));

/** Part of a time, by the id of the run: two runs that both stopped to look see each other go on. */
const shareOf = (runId: string): number => (createHash('sha256').update(runId).digest()[0] ?? 0) / 255;

/**
 * Looks at the endpoints of the pool for a while in which the run writes nothing: a policy that comes to one, or goes from one, that no write
 * of the run named is the work of somebody else, and so is a record that is not that of the run on an endpoint which it cleared. Gives that
 * change in words; undefined if there was none, or if nobody could tell.
 */
async function changeByOthers(client: ErsClient, watch: Watch): Promise<string | undefined> {
  const { clock, signal, settleMs, isNamed = client.isNamed } = watch;
  const { pool, runId } = client.options;
  const family = ancFamilyOf(client);
  const macs = new Map<string, string>();
  const isOfPool = (mac: string | undefined): mac is string => mac !== undefined && pool?.indexOf(mac) !== undefined;
  const macOf = async ({ id, name = '' }: ListEntry): Promise<string | undefined> => {
    const shown = normalAddress(name);
    if (!macs.has(id) && MAC.test(shown)) macs.set(id, shown);
    if (!macs.has(id) && macs.size < MOST_READ) macs.set(id, (await readAnc(client, id))?.mac ?? '');
    return macs.get(id);
  };
  const begun = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - begun;
  const forMs = settleMs * (2 + shareOf(runId));
  let before:
    | { readonly entries: ReadonlyMap<string, ListEntry>; readonly writes: number; readonly atMs: number }
    | undefined;
  const known = new Set(strayed(client));
  const seen = new Set<string>();
  let looks = 0;
  const change = async (now: ReadonlyMap<string, ListEntry>): Promise<string | undefined> => {
    for (const [id, entry] of before?.entries ?? []) {
      const mac = now.has(id) ? undefined : await macOf(entry);
      if (isOfPool(mac) && !isNamed(mac) && (await readAnc(client, id)) === null) return `${mac} lost its policy`;
    }
    for (const id of now.keys()) {
      // A list that shows less at times shows no more than before when it shows all again.
      const record = looks < LEAST_LOOKS || seen.has(id) ? null : await readAnc(client, id);
      if (record === null || !isOfPool(record.mac) || known.has(record.mac)) continue;
      const isAnother = (before?.atMs ?? 0) >= settleMs && client.foreignOn(record.mac) !== undefined;
      if (isAnother || !isNamed(record.mac)) return `${record.mac} came to hold "${record.policy}"`;
    }
    return undefined;
  };
  for (;;) {
    const [writes, atMs] = [client.writes(family), elapsedMs()];
    const { entries, complete } = await readEntries(client, family, { size: PAGE_SIZE }, MOST_PAGES);
    const now = new Map(entries.map((entry) => [entry.id, entry]));
    for (const entry of complete ? entries : []) await macOf(entry);
    const found = complete && before?.writes === writes ? await change(now) : undefined;
    // A write of another check may have come between the looks.
    if (found !== undefined && client.writes(family) === writes)
      return `somebody else writes to the pool: ${found} while this run wrote nothing; give each run a pool of its own`;
    for (const id of now.keys()) seen.add(id);
    looks += complete ? 1 : 0;
    before = complete ? { entries: now, writes, atMs } : undefined;
    if (elapsedMs() >= forMs) return undefined;
    await clock.sleep(Math.min(EVERY_MS, settleMs / LEAST_LOOKS), signal);
  }
}

/** Tells if somebody else uses the pool too, and how that shows, by watching it unless that is known; undefined if nobody is seen to. */
export async function othersInPool(client: ErsClient, watch: Watch): Promise<string | undefined> {
  const known = knownOf(client);
  if (client.options.pool === undefined || known.inVain >= MOST_IN_VAIN) return known.why;
  known.why ??= await changeByOthers(client, watch).catch((fault: unknown) => {
    if (fault instanceof TargetError) return undefined;
    throw fault;
  });
  if (known.why === undefined) known.inVain += 1;
  return known.why;
}
