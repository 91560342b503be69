/** Mean of values; NaN of none. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Variance of values around their mean (n - 1); 0 of fewer than two. */
export function varianceOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** Degrees of freedom of the difference of two means with variances of their own (Welch). */
export function welchDf(a: readonly number[], b: readonly number[]): number {
  const [u, v] = [varianceOf(a) / a.length, varianceOf(b) / b.length];
  const below = u ** 2 / Math.max(1, a.length - 1) + v ** 2 / Math.max(1, b.length - 1);
  return below === 0 ? a.length + b.length - 2 : (u + v) ** 2 / below;
}
