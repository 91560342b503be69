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

/** Point of the standard normal distribution below which the share `p` lies (Acklam's rational approximation, 1e-9). */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`${p} is no share`);
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  const poly = (coefficients: readonly number[], x: number) => coefficients.reduce((sum, value) => sum * x + value, 0);
  const tail = (q: number) => poly(c, q) / (poly(d, q) * q + 1);
  if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)));
  if (p > 1 - 0.02425) return -tail(Math.sqrt(-2 * Math.log(1 - p)));
  const q = p - 0.5;
  return (poly(a, q * q) * q) / (poly(b, q * q) * q * q + 1);
}

/** The same of Student's distribution with `df` degrees of freedom (Cornish-Fisher; some percent too small below three). */
export function studentQuantile(p: number, df: number): number {
  const z = normalQuantile(p);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / df + second / df ** 2 + third / df ** 3;
}

/** Degrees of freedom of the difference of two means with variances of their own (Welch). */
export function welchDf(a: readonly number[], b: readonly number[]): number {
  const [u, v] = [varianceOf(a) / a.length, varianceOf(b) / b.length];
  const below = u ** 2 / Math.max(1, a.length - 1) + v ** 2 / Math.max(1, b.length - 1);
  return below === 0 ? a.length + b.length - 2 : (u + v) ** 2 / below;
}
