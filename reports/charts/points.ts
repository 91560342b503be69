import type { Latency } from '../../lib/records/load/load.ts';
import { decodeHistogram } from '../../lib/stats/histogram.ts';

/** One point of a percentile spectrum. */
export interface SpectrumPoint {
  /** 1 / (1 − share of arrivals at or below): 2 is the median, 100 is p99. */
  readonly inverse: number;
  readonly ms: number;
}

/** Shares at which a spectrum is read: evenly spaced on its logarithmic axis. */
const STEPS_PER_DECADE = 12;

function highestMs(latency: Latency): number {
  return latency.maxServedMs ?? 0;
}

/**
 * Percentile spectrum of a latency, from its histogram. Arrivals that were not served rank above every served one, so
 * the curve ends where they begin. Empty where the histogram cannot be read.
 */
export function spectrumPoints(latency: Latency): readonly SpectrumPoint[] {
  const total = latency.count + latency.unserved;
  if (latency.count === 0 || latency.hdr === '') return [];
  let histogram: ReturnType<typeof decodeHistogram>;
  try {
    histogram = decodeHistogram(latency.hdr);
  } catch {
    return [];
  }
  const points: SpectrumPoint[] = [];
  for (let step = 0; 10 ** (step / STEPS_PER_DECADE) <= total; step += 1) {
    const inverse = 10 ** (step / STEPS_PER_DECADE);
    const rank = Math.ceil((1 - 1 / inverse) * total);
    if (rank > latency.count) return points;
    const us = histogram.getValueAtPercentile((Math.max(rank, 1) / latency.count) * 100);
    points.push({ inverse, ms: Math.min(us / 1000, highestMs(latency)) });
  }
  if (latency.unserved === 0) points.push({ inverse: total, ms: highestMs(latency) });
  return points;
}

/** At most `most` items, evenly chosen, the last one among them. */
export function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)] as T);
}

/** A coordinate to a tenth: more would only make the page longer. */
export const rounded = (value: number): number => Math.round(value * 10) / 10;
