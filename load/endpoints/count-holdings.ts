import pLimit from 'p-limit';
import { lookUp, lookupOf } from '../../lib/client/anc/lookup.ts';
import { type Holding, holdingByFilter, holdingTotal, UnreadableState } from '../../lib/client/anc/state.ts';
import { counted } from '../../lib/numbers.ts';
import { countWhile } from '../../lib/stats/count-while.ts';
import { macNumber } from '../../lib/wire/address.ts';
import type { LoadContext } from './context.ts';

const LEAF = 16;
/** Beginnings of more endpoints are split although their count is as acknowledged: a lost one may stand against one of others. */
const SPLIT = 4096;
const DIGITS = 12;
/** Endpoints whose transaction was not acknowledged that are asked for before anything is counted. */
const MOST_UNKNOWN = 1000;
/** Counts at once: a target without an index reads its whole list for each. */
const SCANS = 2;
const OTHERS = 16;

export class Uncountable extends Error {
  override readonly name = 'Uncountable';
}

const hexOf = (key: number) => key.toString(16).toUpperCase().padStart(DIGITS, '0');

/** The touched endpoints in the order of their addresses; `before` is how many of those before a place are to be listed. */
function promisedOf({ plan, state }: LoadContext, unknownListed: ReadonlySet<number>) {
  const keyAt = (index: number) => macNumber(plan.pool.at(index).macAddress);
  const touched = state.touched();
  const keyed = new Map(touched.map((index) => [index, keyAt(index)]));
  const indexes = Uint32Array.from(touched).sort((a, b) => (keyed.get(a) ?? 0) - (keyed.get(b) ?? 0));
  const keys = Float64Array.from(indexes, (index) => keyed.get(index) ?? 0);
  const before = new Uint32Array(indexes.length + 1);
  for (const [place, index] of indexes.entries()) {
    const listed = state.get(index) === 'policy' || unknownListed.has(index);
    before[place + 1] = (before[place] ?? 0) + (listed ? 1 : 0);
  }
  return { indexes, keys, before };
}
type Promised = ReturnType<typeof promisedOf>;

/** Addresses that begin with the same digits, and the places of the touched ones among them. */
function branchOf({ keys }: Promised, digits: string) {
  const width = 16 ** (DIGITS - digits.length);
  const low = Number.parseInt(digits.padEnd(DIGITS, '0'), 16);
  const placeOf = (key: number) => countWhile(keys.length, (place) => (keys[place] ?? 0) < key);
  return { digits, from: placeOf(low), to: placeOf(low + width) };
}
type Branch = ReturnType<typeof branchOf>;

function trunkOf({ keys }: Promised): string {
  const [first, last] = [hexOf(keys[0] ?? 0), hexOf(keys.at(-1) ?? 0)];
  let length = 0;
  while (length < DIGITS && first[length] === last[length]) length += 1;
  return first.slice(0, length);
}

/**
 * Holds the list against what was acknowledged without walking it. A filter STARTSW and the total of the list tell how
 * many listed addresses begin with some digits. Only where that count is not as acknowledged does it try longer
 * beginnings, down to single endpoints. Throws `Uncountable` where the filters do not add up or it takes more than
 * `limit` requests.
 */
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
  const promised = promisedOf(context, new Set(unacknowledged));
  const expectedIn = ({ from, to }: Branch) => (promised.before[to] ?? 0) - (promised.before[from] ?? 0);
  const suspects: number[] = [];

  const leaf = async ({ from, to }: Branch) => {
    const indexes = [...promised.indexes.subarray(from, to)].filter((index) => state.get(index) !== 'unknown');
    const listed = new Set(await listedOf(indexes));
    suspects.push(...indexes.filter((index) => (state.get(index) === 'policy') !== listed.has(index)));
  };
  // The first split shows too whether the target heeds the filter.
  const descend = async (branch: Branch, counted: number, first = false): Promise<void> => {
    const size = branch.to - branch.from;
    if (counted === expectedIn(branch) && !first && size <= SPLIT) return;
    if (size <= LEAF) return leaf(branch);
    const children = Array.from({ length: 16 }, (_, digit) =>
      branchOf(promised, branch.digits + digit.toString(16).toUpperCase()),
    ).filter(({ from, to }) => to > from);
    const counts = await Promise.all(children.map(({ digits }) => count(digits)));
    const sum = counts.reduce((all, each) => all + each, 0);
    if (sum > counted * 1.5 + OTHERS) throw new Uncountable('the filter STARTSW does not add up to the total');
    await Promise.all(children.map((child, at) => descend(child, counts[at] ?? 0)));
  };

  if (promised.indexes.length > 0) {
    const trunk = branchOf(promised, trunkOf(promised));
    const counted = await count(trunk.digits);
    const [some] = promised.indexes.filter((index) => state.get(index) === 'policy');
    if (counted === 0 && some !== undefined && (await ask(some)) !== null) {
      throw new Uncountable('the filter STARTSW does not find endpoints that EQ finds');
    }
    await descend(trunk, counted, true);
  }
  const missing = suspects.filter((index) => state.get(index) === 'policy').length;
  const listed = (promised.before.at(-1) ?? 0) - missing + (suspects.length - missing);
  return {
    ...{ entries, requests },
    suspects,
    unacknowledged,
    foreign: Math.max(0, entries - listed),
  };
}
