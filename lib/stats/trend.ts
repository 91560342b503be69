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
