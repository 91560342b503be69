/** Mean of values; NaN of none. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

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

import jstat from 'jstat';

/** Point of Student's distribution with `df` degrees of freedom, of any positive number, below which the share `p` lies. */
export function studentQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`${p} is no share`);
  return jstat.studentt.inv(p, df);
}

/** Chance that two samples of one mean and variance differ at least so much (two-sided t test); 1 if either has fewer than two values. */
export function tTest(a: readonly number[], b: readonly number[]): number {
  if (a.length < 2 || b.length < 2) return 1;
  const df = a.length + b.length - 2;
  const pooled = ((a.length - 1) * varianceOf(a) + (b.length - 1) * varianceOf(b)) / df;
  const difference = meanOf(a) - meanOf(b);
  if (pooled === 0) return difference === 0 ? 1 : 0;
  return 2 * jstat.studentt.cdf(-Math.abs(difference) / Math.sqrt(pooled * (1 / a.length + 1 / b.length)), df);
}
