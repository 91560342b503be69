/** Standard normal quantile of a two-sided 95 % interval. */
const Z = 1.959963984540054;

/** Share of successes with its 95 % Wilson score interval; [0, 1] of no trials. All are fractions, not percent. */
export function wilson(
  successes: number,
  trials: number,
): { readonly share: number; readonly low: number; readonly high: number } {
  if (trials === 0) return { share: 0, low: 0, high: 1 };
  const share = successes / trials;
  const square = Z * Z;
  const middle = share + square / (2 * trials);
  const half = Z * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials * trials));
  const scale = 1 + square / trials;
  return { share, low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}
