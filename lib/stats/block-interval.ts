import { countUpTo, countWhile, rankOf } from './percentile.ts';
import { studentQuantile } from './spread.ts';

/** Value of what was not served: it ranks above all others. */
const UNSERVED_US = 0xffff_ffff;
const US_PER_MS = 1000;

/** Moments, and the value that belongs to each; undefined if it does not count. */
interface Timed {
  readonly at: ArrayLike<number>;
  readonly valueAt: (place: number) => number | undefined;
}

/** Puts values, whole microseconds, into `blocks` blocks of equal time between `from` and `to`; those of each block ascend. */
export function toBlocks({ at, valueAt }: Timed, from: number, to: number, blocks: number) {
  const lists = Array.from({ length: blocks }, (): number[] => []);
  let count = 0;
  for (let place = 0; place < at.length; place += 1) {
    const value = valueAt(place);
    if (value === undefined) continue;
    const block = Math.floor((((at[place] ?? 0) - from) / (to - from)) * blocks);
    lists[Math.min(blocks - 1, Math.max(0, block))]?.push(value);
    count += 1;
  }
  return { count, parts: lists.map((list) => Uint32Array.from(list).sort()) };
}
export type Blocks = Readonly<ReturnType<typeof toBlocks>>;

const upTo = ({ parts }: Blocks, value: number): readonly number[] => parts.map((part) => countUpTo(part, value));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Least value with at least so many up to it, milliseconds; infinite if it was not served. */
function atRank(blocks: Blocks, rank: number): number {
  // No value lies above the largest: searching the whole range of the numbers took twice as long.
  const largest = blocks.parts.reduce((most, part) => Math.max(most, part.at(-1) ?? 0), 0);
  const least = countWhile(largest, (value) => sumOf(upTo(blocks, value)) < rank);
  return least === UNSERVED_US ? Number.POSITIVE_INFINITY : least / US_PER_MS;
}

/** Nearest-rank percentile of the values in milliseconds; NaN of none. */
export const percentileOf = (blocks: Blocks, p: number): number =>
  blocks.count === 0 ? Number.NaN : atRank(blocks, rankOf(blocks.count, p));

/**
 * Variance of a percentile as it varies within a run, square milliseconds: how many values of a block are up to it varies between the
 * blocks, because moments of a run are not independent of each other, and the values a standard error of that share below and above
 * are two standard errors apart. That is what drawing whole blocks again and again tends to, without the draws. Infinite if the
 * upper of them was not served; NaN of no values.
 */
export function varianceOfPercentile(blocks: Blocks, p: number): number {
  const { count, parts } = blocks;
  if (count === 0) return Number.NaN;
  const counts = upTo(blocks, percentileOf(blocks, p) * US_PER_MS);
  const share = sumOf(counts) / count;
  const squares = sumOf(counts.map((some, at) => (some - share * (parts[at]?.length ?? 0)) ** 2));
  const error = Math.sqrt((squares * parts.length) / Math.max(1, parts.length - 1)) / count;
  const [below, above] = [p - error, p + error].map((at) => atRank(blocks, rankOf(count, at)));
  return (((above ?? 0) - (below ?? 0)) / 2) ** 2;
}

/** Autocorrelation of a series at lags 0 to `most`; all 0 if the series does not vary. */
function autocorrelation(series: Float64Array, most: number): Float64Array {
  const count = series.length;
  const mean = series.reduce((sum, value) => sum + value, 0) / count;
  const found = new Float64Array(most + 1);
  for (let lag = 0; lag <= most; lag += 1) {
    let sum = 0;
    for (let at = 0; at + lag < count; at += 1) sum += ((series[at] ?? 0) - mean) * ((series[at + lag] ?? 0) - mean);
    found[lag] = sum / count;
  }
  const [variance = 0] = found;
  return variance <= 0 ? found.fill(0) : found.map((value) => value / variance);
}

/** Sums of autocorrelations are cut at so many times what they amount to: beyond that there is only noise (Sokal). */
const WINDOW = 5;
/** An autocorrelation this many standard errors above 0 is one. */
const SIGNIFICANT = 2.5;

/**
 * Time over which neighbors of a series are alike, in steps of the series: 0 if they are independent. White noise on top of a slow
 * drift makes every correlation smaller and none shorter, so their sum is divided by the first of them.
 */
function correlationTime(series: Float64Array): number {
  const most = Math.min(series.length - 2, Math.floor(series.length / 2));
  if (most < 2) return 0;
  const rho = autocorrelation(series, most);
  let sum = 0;
  let time = 0;
  for (let lag = 1; lag <= most; lag += 1) {
    sum += rho[lag] ?? 0;
    const first = Math.max(rho[1] ?? 0, rho[2] ?? 0);
    // The sum of `lag` correlations of white noise has a standard error of sqrt(lag / count).
    const real = sum > SIGNIFICANT * Math.sqrt(lag / series.length) && first > 0;
    time = real ? sum / Math.min(1, first) : time;
    if (lag >= WINDOW * Math.max(1, time)) break;
  }
  return time;
}

/** Values in order of their time. What was not served is infinite. */
interface TimedValues {
  readonly values: Float64Array;
  /** Moments of the values, in any unit. */
  readonly at: Float64Array;
}

/** 95 % interval of a percentile; null on a side that the values do not bound, `too-short` where the window cannot tell. */
type BlockInterval = readonly [low: number | null, high: number | null] | 'too-short';

/** Blocks are this many correlation times long, so that they are nearly independent of each other. */
const TIMES_LONG = 5;
const FEWEST_BLOCKS = 10;
const MOST_BLOCKS = 40;
const MOST_SLOTS = 1000;
const VALUES_PER_SLOT = 5;
/** A correlation time taken from a short window comes out too small by about so many times its share of the window. */
const SHORTFALL = 10;
const LEVEL = 0.975;
/** Values beyond these shares count as the value there, so that a few outliers do not hide a drift. */
const TRIMMED = [0.05, 0.95] as const;

const valueAt = (sorted: Float64Array, p: number): number => sorted[rankOf(sorted.length, p) - 1] ?? Number.NaN;

/** Sums of what is picked of the values, and their number, in equal stretches of time. */
function sums({ values, at }: TimedValues, count: number, pick: (value: number) => number) {
  const [sum, number] = [new Float64Array(count), new Float64Array(count)];
  const from = at.reduce((least, moment) => Math.min(least, moment), Number.POSITIVE_INFINITY);
  const to = at.reduce((most, moment) => Math.max(most, moment), Number.NEGATIVE_INFINITY);
  const width = (to - from) / count;
  for (let index = 0; index < values.length; index += 1) {
    const place = width > 0 ? Math.min(count - 1, Math.floor(((at[index] ?? 0) - from) / width)) : 0;
    sum[place] = (sum[place] ?? 0) + pick(values[index] ?? 0);
    number[place] = (number[place] ?? 0) + 1;
  }
  return { sum, number };
}

/** What a stretch has more than its share of, so that one with fewer values is no lower. */
const excess = ({ sum, number }: ReturnType<typeof sums>, mean: number): Float64Array =>
  sum.map((total, place) => total - mean * (number[place] ?? 0));

/** Share of the window over which values are alike: of the level, and of going beyond the percentile. */
function correlationShare(timed: TimedValues, sorted: Float64Array, beyond: (value: number) => number): number {
  const slots = Math.min(MOST_SLOTS, Math.floor(sorted.length / VALUES_PER_SLOT));
  if (slots < FEWEST_BLOCKS) return 1;
  const [low, high] = TRIMMED.map((p) => valueAt(sorted, p));
  const most = Number.isFinite(high) ? (high ?? 0) : (sorted.findLast(Number.isFinite) ?? 0);
  const trimmed = (value: number) => Math.min(Math.max(value, low ?? 0), most);
  const time = [trimmed, beyond].map((pick) => {
    const found = sums(timed, slots, pick);
    const mean = found.sum.reduce((total, value) => total + value, 0) / sorted.length;
    return correlationTime(excess(found, mean));
  });
  const share = Math.max(...time) / slots;
  return share * (1 + SHORTFALL * share);
}

/**
 * 95 % interval of percentile `p`, from blocks of time. Values near each other in time are alike, so that their number says less than
 * it seems: the share of the values beyond the percentile is counted block by block, and its spread between the blocks, with
 * Student's factor, bounds the ranks. That is what drawing whole blocks again and again tends to, without the draws. The upper bound
 * of the share is taken in log odds, because a small share is never lower than 0. Blocks are five correlation times long; where fewer
 * than ten fit, the window is too short to tell.
 */
export function blockInterval(timed: TimedValues, sorted: Float64Array, p: number): BlockInterval {
  const total = sorted.length;
  if (total === 0) return [null, null];
  const value = valueAt(sorted, p);
  const beyond = (other: number) => (other > value ? 1 : 0);
  const alike = correlationShare(timed, sorted, beyond);
  const blocks = Math.min(MOST_BLOCKS, Math.floor(1 / (TIMES_LONG * alike)));
  if (blocks < FEWEST_BLOCKS) return 'too-short';
  const found = sums(timed, blocks, beyond);
  const share = found.sum.reduce((sum, count) => sum + count, 0) / total;
  const squares = excess(found, share).reduce((sum, more) => sum + more ** 2, 0);
  // What neighboring blocks still have in common is missing from the spread between them.
  const whole = Math.max(0.5, 1 - alike * blocks);
  const error = Math.sqrt((squares * blocks) / (blocks - 1) / whole) / total;
  // The share beyond a percentile among equal values is not 1 - p: the interval is around what the ranks say.
  const half = studentQuantile(LEVEL, blocks - 1) * error;
  const target = 1 - p;
  const odds = Math.log(target / p) + half / (target * p);
  const atRank = (rank: number) => {
    const at = rank > total ? undefined : sorted[Math.max(0, rank - 1)];
    return at === undefined || !Number.isFinite(at) ? null : at;
  };
  const most = 1 / (1 + Math.exp(-odds));
  return [atRank(Math.floor(total * (1 - most))), atRank(Math.ceil(total * (p + half)) + 1)];
}
