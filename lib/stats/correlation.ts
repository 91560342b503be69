/** Autocorrelation of a series at lags 0 to `most`; all 0 where the series does not vary. */
function autocorrelation(series: Float64Array, most: number): Float64Array {
  const count = series.length;
  const mean = series.reduce((sum, value) => sum + value, 0) / count;
  const found = new Float64Array(most + 1);
  for (let lag = 0; lag <= most; lag += 1) {
    let sum = 0;
    for (let at = 0; at + lag < count; at += 1) sum += ((series[at] ?? 0) - mean) * ((series[at + lag] ?? 0) - mean);
    found[lag] = sum / count;
  }
  const [variance = 0] = found;
  return variance <= 0 ? found.fill(0) : found.map((value) => value / variance);
}

/** Sums of autocorrelations are cut at so many times what they amount to: beyond that there is only noise (Sokal). */
const WINDOW = 5;
/** An autocorrelation this many standard errors above 0 is one. */
const SIGNIFICANT = 2.5;

/**
 * Time over which neighbors of a series are alike, in steps of the series: 0 where they are independent. White noise on top of a slow
 * drift makes every correlation smaller and none shorter, so their sum is divided by the first of them.
 */
export function correlationTime(series: Float64Array): number {
  const most = Math.min(series.length - 2, Math.floor(series.length / 2));
  if (most < 2) return 0;
  const rho = autocorrelation(series, most);
  let sum = 0;
  let time = 0;
  for (let lag = 1; lag <= most; lag += 1) {
    sum += rho[lag] ?? 0;
    const first = Math.max(rho[1] ?? 0, rho[2] ?? 0);
    // The sum of `lag` correlations of white noise has a standard error of sqrt(lag / count).
    const real = sum > SIGNIFICANT * Math.sqrt(lag / series.length) && first > 0;
    time = real ? sum / Math.min(1, first) : time;
    if (lag >= WINDOW * Math.max(1, time)) break;
  }
  return time;
}
