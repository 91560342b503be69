/** How many of so many places a test takes that takes the first ones, and none behind the first that it does not: a binary search. */
export function countWhile(length: number, takes: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (takes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of ascending values are at most this one. */
export const countUpTo = (sorted: ArrayLike<number>, most: number): number =>
  countWhile(sorted.length, (place) => (sorted[place] ?? 0) <= most);

/** A percentile with fewer samples above it than this is marked. */
const MIN_EXCEEDANCES = 100;

/** Rank (1-based) of the nearest-rank percentile `p` of `count` samples; `p` in 0..1. */
export function rankOf(count: number, p: number): number {
  // The product may come out a hair above a whole number (0.07 x 100).
  return Math.min(count, Math.max(1, Math.ceil(count * p - 1e-9)));
}

/** Percentile of ascending samples, with `unserved` ones above all. Null if the rank falls among those, or there are none at all. */
export function percentile(sorted: ArrayLike<number>, unserved: number, p: number): number | null {
  const count = sorted.length + unserved;
  return count === 0 ? null : (sorted[rankOf(count, p) - 1] ?? null);
}

/** True if fewer than 100 samples lie above the percentile: it says more about chance than about the target. */
export const hasFewSamples = (count: number, p: number): boolean => count * (1 - p) < MIN_EXCEEDANCES - 1e-9;
