/** 97.5 % point of the normal distribution: half width of a 95 % interval in standard deviations. */
const Z95 = 1.959963984540054;
/** A percentile with fewer samples above it than this is marked. */
export const MIN_EXCEEDANCES = 100;

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

/**
 * 95 % interval of a percentile by order statistics (normal approximation of the binomial rank, samples taken as
 * independent): values at the lower and the upper rank. Null on a side that the samples do not bound.
 */
export function percentileInterval(
  sorted: ArrayLike<number>,
  unserved: number,
  p: number,
): readonly [number | null, number | null] {
  const count = sorted.length + unserved;
  const half = Z95 * Math.sqrt(count * p * (1 - p));
  const at = (rank: number) => (rank < 1 || rank > count ? null : (sorted[rank - 1] ?? null));
  return [at(Math.floor(count * p - half)), at(Math.ceil(count * p + half) + 1)];
}

/** True where fewer than 100 samples lie above the percentile: it says more about chance than about the target. */
export function hasFewSamples(count: number, p: number): boolean {
  return count * (1 - p) < MIN_EXCEEDANCES - 1e-9;
}
