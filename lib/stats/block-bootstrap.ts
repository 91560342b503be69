import { rankOf } from './percentile.ts';

/** Values in ascending order, each with the block of time it is from. Unserved arrivals are infinite. */
export interface Blocks {
  readonly values: Float64Array;
  readonly blockOf: Uint16Array;
  readonly sizes: readonly number[];
}

/** Puts values into `count` blocks of equal time between `from` and `to`. */
export function toBlocks(
  rows: readonly { readonly at: number; readonly value: number }[],
  from: number,
  to: number,
  count: number,
): Blocks {
  const block = (at: number) => Math.min(count - 1, Math.max(0, Math.floor(((at - from) / (to - from)) * count)));
  const sorted = [...rows].sort((a, b) => (a.value === b.value ? 0 : a.value - b.value));
  const blockOf = Uint16Array.from(sorted, ({ at }) => block(at));
  const sizes = new Array<number>(count).fill(0);
  for (const index of blockOf) sizes[index] = (sizes[index] ?? 0) + 1;
  return { values: Float64Array.from(sorted, ({ value }) => value), blockOf, sizes };
}

/** Nearest-rank percentile of the values; NaN of none. */
export function percentileOf({ values }: Blocks, p: number): number {
  return values.length === 0 ? Number.NaN : (values[rankOf(values.length, p) - 1] ?? Number.NaN);
}

/** Percentiles `ps`, ascending, of a draw in which every block comes as often as its weight says. */
function weighted({ values, blockOf }: Blocks, weights: Float64Array, total: number, ps: readonly number[]): number[] {
  const found: number[] = [];
  let [passed, at] = [0, 0];
  for (const p of ps) {
    const rank = rankOf(total, p);
    while (at < values.length && passed < rank) {
      passed += weights[blockOf[at] ?? 0] ?? 0;
      at += 1;
    }
    found.push(values[at - 1] ?? Number.NaN);
  }
  return found;
}

/**
 * Percentiles of resampled runs: whole blocks are drawn with replacement, so that neighbors that are alike stay together (moments of
 * a run are not independent of each other). One row for each of `replicates`, one column for each of `ps` (ascending).
 */
export function bootstrapPercentiles(
  blocks: Blocks,
  ps: readonly number[],
  replicates: number,
  random: () => number,
): number[][] {
  const count = blocks.sizes.length;
  return Array.from({ length: replicates }, () => {
    const weights = new Float64Array(count);
    let total = 0;
    for (let draw = 0; draw < count; draw += 1) {
      const block = Math.floor(random() * count);
      weights[block] = (weights[block] ?? 0) + 1;
      total += blocks.sizes[block] ?? 0;
    }
    return total === 0 ? ps.map(() => Number.NaN) : weighted(blocks, weights, total, ps);
  });
}
