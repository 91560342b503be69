/** A percentile with fewer samples above it than this is marked. */
const MIN_EXCEEDANCES = 100;

/** Rank (1-based) of the nearest-rank percentile `p` of `count` samples; `p` in 0..1. */
export function rankOf(count: number, p: number): number {
  // The product may come out a hair above a whole number (0.07 x 100).
  return Math.min(count, Math.max(1, Math.ceil(count * p - 1e-9)));
}

/**
 * Percentile of ascending samples followed by `unserved` ones that rank above all. Null where the rank falls among
 * the unserved, and where there are none at all.
 */
export function percentile(sorted: ArrayLike<number>, unserved: number, p: number): number | null {
  const count = sorted.length + unserved;
  return count === 0 ? null : (sorted[rankOf(count, p) - 1] ?? null);
}

/** True where fewer than 100 samples lie above the percentile: it says more about chance than about the target. */
export function hasFewSamples(count: number, p: number): boolean {
  return count * (1 - p) < MIN_EXCEEDANCES - 1e-9;
}
