import { rankOf } from './percentile.ts';

/** Values cut into blocks of time. Unserved arrivals are infinite. Columns of numbers: hours of arrivals are millions of them. */
export interface Blocks {
  /** All values, ascending. */
  readonly values: Float64Array;
  /** The values of each block, ascending. */
  readonly parts: readonly Float64Array[];
}

/** Puts values into `count` blocks of equal time between `from` and `to`. */
export function toBlocks(
  { at, values }: { readonly at: Float64Array; readonly values: Float64Array },
  from: number,
  to: number,
  count: number,
): Blocks {
  const block = (moment: number) =>
    Math.min(count - 1, Math.max(0, Math.floor(((moment - from) / (to - from)) * count)));
  const sizes = new Uint32Array(count);
  for (const moment of at) sizes[block(moment)] = (sizes[block(moment)] ?? 0) + 1;
  const parts = Array.from(sizes, (size) => new Float64Array(size));
  const filled = new Uint32Array(count);
  at.forEach((moment, index) => {
    const place = block(moment);
    const part = parts[place];
    if (part !== undefined) part[filled[place] ?? 0] = values[index] ?? Number.NaN;
    filled[place] = (filled[place] ?? 0) + 1;
  });
  for (const part of parts) part.sort();
  return { values: values.slice().sort(), parts };
}

/** Several stretches of one run as one. */
export function joinBlocks(stretches: readonly Blocks[]): Blocks {
  const [first] = stretches;
  if (stretches.length === 1 && first !== undefined) return first;
  const values = new Float64Array(stretches.reduce((sum, { values: own }) => sum + own.length, 0));
  let at = 0;
  for (const { values: own } of stretches) {
    values.set(own, at);
    at += own.length;
  }
  return { values: values.sort(), parts: stretches.flatMap(({ parts }) => parts) };
}

/** Nearest-rank percentile of the values; NaN of none. */
export function percentileOf({ values }: Blocks, p: number): number {
  return values.length === 0 ? Number.NaN : (values[rankOf(values.length, p) - 1] ?? Number.NaN);
}

function countUpTo(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Percentile of a draw in which every block comes as often as its weight says: the least value with enough of them up to it. */
function weighted({ values, parts }: Blocks, weights: Float64Array, total: number, p: number): number {
  const rank = rankOf(total, p);
  const upTo = (value: number) => parts.reduce((sum, part, at) => sum + (weights[at] ?? 0) * countUpTo(part, value), 0);
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (upTo(values[middle] ?? Number.NaN) >= rank) high = middle;
    else low = middle + 1;
  }
  return values[low] ?? Number.NaN;
}

/**
 * Percentiles of resampled runs: whole blocks are drawn with replacement, so that neighbors that are alike stay together (moments of
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
