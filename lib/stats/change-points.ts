import { meanOf, tTest } from './spread.ts';

/** Fewer comparable values than this tell nothing. */
export const LEAST_VALUES = 20;
/** A change point that stays has at most this chance of being none. */
const STRICT = 0.001;
/** Candidates are searched on from up to this one, because a later change hides an earlier one. */
const WEAK = STRICT * 10;
/** Values on each side of a change, at least. */
const LEAST_SIDE = 3;

/**
 * The split of values `from` to `to` with the largest divergence of E-divisive means (Matteson and James 2014, exponent 1): twice
 * the mean distance between the sides less the mean distances within them, times nm / (n + m).
 */
function bestSplit(values: readonly number[], from: number, to: number): number | null {
  const size = to - from;
  if (size < 2 * LEAST_SIDE) return null;
  const at = (index: number) => values[from + index] ?? 0;
  const distances = (index: number, start: number, end: number) => {
    let sum = 0;
    for (let other = start; other < end; other += 1) sum += Math.abs(at(index) - at(other));
    return sum;
  };
  let [left, right, between] = [0, 0, 0];
  for (let index = 0; index < size; index += 1) right += distances(index, index + 1, size);
  let best: { readonly split: number; readonly divergence: number } | null = null;
  for (let split = 1; split <= size - LEAST_SIDE; split += 1) {
    // The value before the split moves from the right side to the left one.
    const toLeft = distances(split - 1, 0, split - 1);
    const toRight = distances(split - 1, split, size);
    left += toLeft;
    right -= toRight;
    between += toRight - toLeft;
    if (split < LEAST_SIDE) continue;
    const [n, m] = [split, size - split];
    const divergence =
      ((n * m) / size) * ((2 * between) / (n * m) - (2 * left) / (n * (n - 1)) - (2 * right) / (m * (m - 1)));
    if (best === null || divergence > best.divergence) best = { split: from + split, divergence };
  }
  return best?.split ?? null;
}

function candidates(values: readonly number[], from: number, to: number): number[] {
  const split = bestSplit(values, from, to);
  if (split === null || tTest(values.slice(from, split), values.slice(split, to)) > WEAK) return [];
  return [...candidates(values, from, split), split, ...candidates(values, split, to)];
}

/** Change points: the index of the first value after each, the means up to its neighbors, and the chance of it without a change. */
const measured = (values: readonly number[], splits: readonly number[]) =>
  splits.map((index, at) => {
    const left = values.slice(splits[at - 1] ?? 0, index);
    const right = values.slice(index, splits[at + 1] ?? values.length);
    return { index, before: meanOf(left), after: meanOf(right), pValue: tTest(left, right) };
  });

/**
 * Where the mean of a series changed: E-divisive means with a t test, then the weakest point is taken out until all that are left
 * are strong, as in Hunter (Fleming et al. 2023). Null if there are fewer than `LEAST_VALUES` values.
 */
export function changePoints(values: readonly number[]) {
  if (values.length < LEAST_VALUES) return null;
  let points = measured(values, candidates(values, 0, values.length));
  for (;;) {
    const weakest = [...points].sort((a, b) => b.pValue - a.pValue)[0];
    if (weakest === undefined || weakest.pValue <= STRICT) return points;
    const kept = points.filter((point) => point !== weakest).map(({ index }) => index);
    points = measured(values, kept);
  }
}
