import { meanOf, tTest } from './spread.ts';

/** Median of values; NaN of none. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Medians of the first and the second half of a series; the middle value of an odd one belongs to neither. */
export function halves(series: readonly number[]): { readonly first: number; readonly second: number } {
  const half = Math.floor(series.length / 2);
  return { first: median(series.slice(0, half)), second: median(series.slice(series.length - half)) };
}

/** Mann-Kendall statistic in standard deviations, corrected for continuity: above 1.645 it rises with 95 %. 0 for fewer than 4 values. */
export function trendZ(series: readonly number[]): number {
  const count = series.length;
  if (count < 4) return 0;
  let score = 0;
  for (let early = 0; early < count; early += 1) {
    for (let late = early + 1; late < count; late += 1) score += Math.sign((series[late] ?? 0) - (series[early] ?? 0));
  }
  const deviation = Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  return score === 0 ? 0 : (score - Math.sign(score)) / deviation;
}

/** Smaller changes of a level say nothing: a share of the larger one, and half a millisecond. */
const LEAST_SHARE = 0.1;
const LEAST_MS = 0.5;
/** Values at the begin that a level of their own needs. */
const LEAST_BEGIN = 3;

const matters = (before: number, after: number) =>
  Math.abs(after - before) >= Math.max(LEAST_MS, LEAST_SHARE * Math.max(before, after));

/** Values to cut off the beginning, at most half, so that the standard error of the others' mean is smallest (MSER, White 1997). */
function truncation(values: readonly number[]): number {
  let [sum, squares] = [0, 0];
  let best = { error: Number.POSITIVE_INFINITY, from: 0 };
  for (let from = values.length - 1; from >= 0; from -= 1) {
    const value = values[from] ?? 0;
    sum += value;
    squares += value * value;
    const count = values.length - from;
    const error = (squares - (sum * sum) / count) / (count * count);
    if (from <= values.length / 2 && error <= best.error) best = { error, from };
  }
  return best.from;
}

/**
 * Index from which on a level in milliseconds stays: behind the begin that MSER cuts off, 0 if that is on the same level. Null if
 * the level changes after it, so that it never settled; undefined if there are too few values.
 */
export function settledFrom(levels: readonly number[]): number | null | undefined {
  if (levels.length < 2 * LEAST_VALUES) return undefined;
  const cut = truncation(levels);
  const hasBegin = cut >= LEAST_BEGIN && matters(median(levels.slice(0, cut)), median(levels.slice(cut)));
  const from = hasBegin ? cut : 0;
  const changes = changePoints(levels.slice(from)) ?? [];
  return changes.some(({ before, after }) => matters(before, after)) ? null : from;
}

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
