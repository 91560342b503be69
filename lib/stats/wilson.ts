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

/** Killed of a number of defects, with the 95 % Wilson interval of the share, as fractions. */
export function killedRate(killed: number, of: number) {
  const { low, high } = wilson(killed, of);
  return { killed, of, low, high };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** `41 of 53 (77.4 %; 95 % interval 64.5 % to 86.6 %)`. */
export function rateText({ killed, of, low, high }: ReturnType<typeof killedRate>): string {
  const share = of === 0 ? 0 : killed / of;
  return `${killed} of ${of} (${percent(share)}; 95 % interval ${percent(low)} to ${percent(high)})`;
}
