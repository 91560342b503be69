import pLimit from 'p-limit';
import { ancFamilyOf, lookUp, lookupOf } from '../../lib/client/anc/lookup.ts';
import { type Holding, holdingByFilter, holdingTotal, readAnc, UnreadableState } from '../../lib/client/anc/state.ts';
import { requesterOf } from '../../lib/client/http/read-entries.ts';
import { normalAddress } from '../../lib/client/safety/targets.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import { groupBy } from '../../lib/group-by.ts';
import { counted } from '../../lib/text.ts';
import { totalOf } from '../../lib/wire/answer.ts';
import { eachPage, type ListItem } from '../../lib/wire/list-walk.ts';
import type { LoadContext } from './context.ts';

const PAGE_SIZE = 100;
const ADDRESS = /^[0-9a-f]{2}([:.-]?[0-9a-f]{2}){5}$/i;

export interface Listed {
  readonly mac: string;
  readonly id: string;
  /** Absent if the list shows the address and not the policy. */
  readonly policy?: string;
}

const EXAMPLES = 10;

export const kind = () => ({ count: 0, examples: [] as string[] });
export type Kind = ReturnType<typeof kind>;

export function note(found: Kind, example: string): void {
  found.count += 1;
  if (found.examples.length < EXAMPLES) found.examples.push(example);
}

/** What an entry shows of itself; null if it shows no address. A name is one only where it looks like one. */
function shownBy({ id, record }: ListItem): Listed | null {
  const { macAddress, name, policyName } = record;
  const address = [macAddress, name].find((text) => typeof text === 'string' && ADDRESS.test(text));
  if (typeof address !== 'string') return null;
  const mac = normalAddress(address);
  return typeof policyName === 'string' ? { mac, id, policy: policyName } : { mac, id };
}

/** Walks the whole list and hands on each page; reads records if entries show no address. Stops if it takes more than `limit` requests. */
export async function listHoldings(client: ErsClient, limit: number, onPage: (listed: readonly Listed[]) => void) {
  const sum = {
    ...{ entries: 0, pages: 0, requests: 0 },
    /** Entries whose record was not found: it is gone meanwhile, or the target does not tell. */
    unread: 0,
    cut: undefined as string | undefined,
  };
  const slots = pLimit(client.options.target.connections);
  const read = (id: string) =>
    slots(async (): Promise<Listed | null> => {
      const record = await readAnc(client, id);
      return record === null ? null : { mac: record.mac, id, policy: record.policy };
    });
  const requester = requesterOf(client, ancFamilyOf(client));
  const bounds = { pages: Infinity, characters: Infinity, anySize: true } as const;
  let pageSize: number | undefined;
  const end = await eachPage(requester, { list: { size: PAGE_SIZE } }, bounds, async ({ items, next, exchange }) => {
    const entries = items.map((item) => ({ id: item.id, shown: shownBy(item) }));
    const total = totalOf(exchange);
    sum.pages += 1;
    sum.requests += 1;
    pageSize ??= Math.max(1, entries.length);
    const nameless = entries.filter(({ shown }) => shown === null).length;
    const reads = entries.length === 0 ? 0 : ((total ?? 0) * nameless) / entries.length;
    const asTold = Math.ceil((total ?? 0) / pageSize) + Math.ceil(reads);
    // A page may hold more than its total says.
    const needed = Math.max(asTold, sum.requests + nameless);
    if (total === undefined) sum.cut = 'the list shows no total';
    else if (needed > limit) sum.cut = `the list takes ${needed} requests, more than --reconcile-limit ${limit}`;
    if (sum.cut !== undefined || total === undefined) return false;
    const listed = await Promise.all(entries.map(({ id, shown }) => shown ?? read(id)));
    sum.entries += entries.length;
    sum.requests += nameless;
    const told = listed.filter((one) => one !== null);
    sum.unread += listed.length - told.length;
    onPage(told);
    if (next === undefined && sum.entries < total && exchange.cut === true) sum.cut = 'the last page was cut';
    return true;
  });
  if (end.refused !== undefined) throw new UnreadableState(`the list answered ${end.refused.status}`);
  if (end.cut === 'loop') sum.cut = 'the list links to a page that it showed already';
  return sum;
}

const LEAF = 16;
/** Beginnings of more endpoints are split although their count is as acknowledged: a lost one may stand against one of others. */
const SPLIT = 4096;
/** Endpoints whose transaction was not acknowledged that are asked for before anything is counted. */
const MOST_UNKNOWN = 1000;
/** Counts at once: a target without an index reads its whole list for each. */
const SCANS = 2;
const OTHERS = 16;

export class Uncountable extends Error {
  override readonly name = 'Uncountable';
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

/** Compares the list with what was acknowledged by counts of addresses that begin alike, in finer and finer parts. Throws `Uncountable`. */
export async function countHoldings(context: LoadContext, limit: number) {
  const { client, plan, state } = context;
  if (lookupOf(client).fields.length === 0) throw new Uncountable('the list takes no filter for an address');
  const slots = pLimit(client.options.target.connections);
  let requests = 1;
  const spend = () => {
    requests += 1;
    if (requests > limit) throw new Uncountable(`counting takes more than --reconcile-limit ${limit} requests`);
  };
  const ask = (index: number): Promise<Holding> =>
    slots(async () => {
      spend();
      const held = await holdingByFilter(client, plan.pool.at(index).macAddress);
      if (held === undefined) throw new Uncountable('the filter does not find single endpoints');
      return held;
    });
  const scans = pLimit(SCANS);
  const count = (digits: string): Promise<number> =>
    scans(async () => {
      spend();
      const total = (await lookUp(client, digits, 'STARTSW', 1))?.total;
      if (total === undefined) throw new Uncountable('the filter STARTSW gives no total');
      return total;
    });
  const listedOf = async (indexes: readonly number[]) => {
    const held = await Promise.all(indexes.map(ask));
    return indexes.filter((_, at) => held[at] !== null);
  };

  const entries = await holdingTotal(client);
  if (entries === null) throw new UnreadableState('the list shows no total');
  const unknown = state.touched().filter((index) => state.get(index) === 'unknown');
  if (unknown.length > MOST_UNKNOWN)
    throw new Uncountable(`${counted(unknown.length, 'transaction')} were not acknowledged`);
  const unacknowledged = await listedOf(unknown);
  const unknownListed = new Set(unacknowledged);
  const isExpected = (index: number) => state.get(index) === 'policy' || unknownListed.has(index);
  const expectedIn = (indexes: readonly number[]) => indexes.filter(isExpected).length;
  const addresses = new Map(
    state.touched().map((index) => [index, plan.pool.at(index).macAddress.replaceAll(':', '')]),
  );
  const addressOf = (index: number) => addresses.get(index) ?? '';
  const touched = [...addresses].sort(([, a], [, b]) => (a < b ? -1 : 1)).map(([index]) => index);
  const suspects: number[] = [];

  /** Of the touched endpoints whose addresses begin with these digits. The first split shows too whether the target heeds the filter. */
  const descend = async (digits: string, indexes: readonly number[], counted: number, first = false): Promise<void> => {
    if (counted === expectedIn(indexes) && !first && indexes.length <= SPLIT) return;
    if (indexes.length <= LEAF) {
      const known = indexes.filter((index) => state.get(index) !== 'unknown');
      const listed = new Set(await listedOf(known));
      suspects.push(...known.filter((index) => (state.get(index) === 'policy') !== listed.has(index)));
      return;
    }
    const groups = [...groupBy(indexes, (index) => addressOf(index).slice(0, digits.length + 1))];
    const counts = await Promise.all(groups.map(([longer]) => count(longer)));
    const sum = counts.reduce((all, each) => all + each, 0);
    if (sum > counted * 1.5 + OTHERS) throw new Uncountable('the filter STARTSW does not add up to the total');
    await Promise.all(groups.map(([longer, own], at) => descend(longer, own, counts[at] ?? 0)));
  };

  const [lowest, highest] = [touched[0], touched.at(-1)];
  if (lowest !== undefined && highest !== undefined) {
    const digits = commonStart(addressOf(lowest), addressOf(highest));
    const counted = await count(digits);
    const some = touched.find((index) => state.get(index) === 'policy');
    if (counted === 0 && some !== undefined && (await ask(some)) !== null) {
      throw new Uncountable('the filter STARTSW does not find endpoints that EQ finds');
    }
    await descend(digits, touched, counted, true);
  }
  const missing = suspects.filter((index) => state.get(index) === 'policy').length;
  const listed = expectedIn(touched) - missing + (suspects.length - missing);
  return { entries, requests, suspects, unacknowledged, foreign: Math.max(0, entries - listed) };
}
