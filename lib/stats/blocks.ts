import { countUpTo, countWhile, rankOf } from './percentile.ts';

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
