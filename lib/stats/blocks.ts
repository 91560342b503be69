import { countUpTo, countWhile } from './count-while.ts';
import { rankOf } from './percentile.ts';

/** Value of what was not served: it ranks above all others. */
const UNSERVED_US = 0xffff_ffff;
const US_PER_MS = 1000;

/** Moments, and the value that belongs to each; undefined where it does not count. */
interface Timed {
  readonly at: ArrayLike<number>;
  readonly valueAt: (place: number) => number | undefined;
}

/**
 * Puts values, whole microseconds, into `blocks` blocks of equal time between `from` and `to`; those of each block ascend. Columns of
 * numbers: hours of arrivals are millions of them.
 */
export function toBlocks({ at, valueAt }: Timed, from: number, to: number, blocks: number) {
  const blockOf = (moment: number) =>
    Math.min(blocks - 1, Math.max(0, Math.floor(((moment - from) / (to - from)) * blocks)));
  const sizes = new Uint32Array(blocks);
  let count = 0;
  for (let place = 0; place < at.length; place += 1) {
    if (valueAt(place) === undefined) continue;
    const block = blockOf(at[place] ?? 0);
    sizes[block] = (sizes[block] ?? 0) + 1;
    count += 1;
  }
  const parts = Array.from(sizes, (size) => new Uint32Array(size));
  const filled = new Uint32Array(blocks);
  for (let place = 0; place < at.length; place += 1) {
    const value = valueAt(place);
    if (value === undefined) continue;
    const block = blockOf(at[place] ?? 0);
    const part = parts[block];
    if (part !== undefined) part[filled[block] ?? 0] = value;
    filled[block] = (filled[block] ?? 0) + 1;
  }
  for (const part of parts) part.sort();
  return { count, parts };
}
export type Blocks = Readonly<ReturnType<typeof toBlocks>>;

export function joinBlocks(stretches: readonly Blocks[]): Blocks {
  return {
    count: stretches.reduce((sum, { count }) => sum + count, 0),
    parts: stretches.flatMap(({ parts }) => parts),
  };
}

const upTo = ({ parts }: Blocks, value: number): readonly number[] => parts.map((part) => countUpTo(part, value));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Least value with at least so many up to it, milliseconds; infinite where it was not served. */
function atRank(blocks: Blocks, rank: number): number {
  // No value lies above the largest: searching the whole range of the numbers took twice as long.
  const largest = blocks.parts.reduce((most, part) => Math.max(most, part.at(-1) ?? 0), 0);
  const least = countWhile(largest, (value) => sumOf(upTo(blocks, value)) < rank);
  return least === UNSERVED_US ? Number.POSITIVE_INFINITY : least / US_PER_MS;
}

/** Nearest-rank percentile of the values in milliseconds; NaN of none. */
export function percentileOf(blocks: Blocks, p: number): number {
  return blocks.count === 0 ? Number.NaN : atRank(blocks, rankOf(blocks.count, p));
}

/**
 * Variance of a percentile as it varies within a run, square milliseconds: how many values of a block are up to it varies between the
 * blocks, because moments of a run are not independent of each other, and the values a standard error of that share below and above
 * are two standard errors apart. That is what drawing whole blocks again and again tends to, without the draws. Infinite where the
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
