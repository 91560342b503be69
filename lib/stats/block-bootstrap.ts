import { countWhile } from './count-while.ts';
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

/** Several stretches of one run as one. */
export function joinBlocks(stretches: readonly Blocks[]): Blocks {
  return {
    count: stretches.reduce((sum, { count }) => sum + count, 0),
    parts: stretches.flatMap(({ parts }) => parts),
  };
}

/** Percentile of a draw in which every block comes as often as its weight says, milliseconds: the least value with enough of them up to it. */
function weighted({ parts }: Blocks, weights: Float64Array, total: number, p: number): number {
  const rank = rankOf(total, p);
  const upTo = (value: number) => {
    let sum = 0;
    for (let at = 0; at < weights.length; at += 1) {
      const weight = weights[at] ?? 0;
      const part = parts[at] as Uint32Array;
      if (weight > 0) sum += weight * countWhile(part.length, (place) => (part[place] ?? 0) <= value);
    }
    return sum;
  };
  // No value lies above the largest: searching the whole range of the numbers took twice as long.
  const largest = parts.reduce((most, part) => Math.max(most, part.at(-1) ?? 0), 0);
  const least = countWhile(largest, (value) => upTo(value) < rank);
  return least === UNSERVED_US ? Number.POSITIVE_INFINITY : least / US_PER_MS;
}

/** Nearest-rank percentile of the values in milliseconds; NaN of none. */
export function percentileOf(blocks: Blocks, p: number): number {
  return blocks.count === 0
    ? Number.NaN
    : weighted(blocks, new Float64Array(blocks.parts.length).fill(1), blocks.count, p);
}

/**
 * Percentiles of resampled runs in milliseconds: whole blocks are drawn with replacement, so that neighbors that are alike stay together (moments of
 * a run are not independent of each other). One row for each of `replicates`, one column for each of `ps`.
 */
export function bootstrapPercentiles(
  blocks: Blocks,
  ps: readonly number[],
  replicates: number,
  random: () => number,
): number[][] {
  const count = blocks.parts.length;
  return Array.from({ length: replicates }, () => {
    const weights = new Float64Array(count);
    let total = 0;
    for (let draw = 0; draw < count; draw += 1) {
      const block = Math.floor(random() * count);
      weights[block] = (weights[block] ?? 0) + 1;
      total += blocks.parts[block]?.length ?? 0;
    }
    return ps.map((p) => (total === 0 ? Number.NaN : weighted(blocks, weights, total, p)));
  });
}
