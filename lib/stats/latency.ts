import { encodeHistogram, histogramOf } from './histogram.ts';
import { hasFewSamples, percentile, percentileInterval } from './percentile.ts';

const US_PER_MS = 1000;
/** The percentiles every latency is told by. */
export const PERCENTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const;
export type PercentileName = keyof typeof PERCENTILES;
const NAMES = Object.keys(PERCENTILES) as readonly PercentileName[];

/** Summary of a latency in milliseconds; the shape of the report's `Latency`. */
export interface LatencySummary extends Record<`${PercentileName}Ms`, number | null> {
  count: number;
  unserved: number;
  minMs: number | null;
  meanMs: number | null;
  maxMs: number | null;
  intervals: Record<string, [number | null, number | null]>;
  fewSamples: string[];
  hdr: string;
}

function toMs(us: number | null | undefined): number | null {
  return us === null || us === undefined ? null : us / US_PER_MS;
}

/**
 * Percentiles of served transactions in microseconds and of `unserved` arrivals that rank above them all. `count` and
 * the mean are of the served ones; a percentile that falls among the unserved is null.
 */
export function summarizeLatency(valuesUs: ArrayLike<number>, unserved: number): LatencySummary {
  const sorted = new Float64Array(valuesUs).sort();
  const total = sorted.length + unserved;
  const of = (name: PercentileName) => toMs(percentile(sorted, unserved, PERCENTILES[name]));
  const interval = (name: PercentileName): [number | null, number | null] => {
    const [low, high] = percentileInterval(sorted, unserved, PERCENTILES[name]);
    return [toMs(low), toMs(high)];
  };
  const sum = sorted.reduce((before, value) => before + value, 0);
  return {
    count: sorted.length,
    unserved,
    minMs: toMs(sorted[0]),
    meanMs: sorted.length === 0 ? null : sum / sorted.length / US_PER_MS,
    p50Ms: of('p50'),
    p90Ms: of('p90'),
    p95Ms: of('p95'),
    p99Ms: of('p99'),
    p999Ms: of('p999'),
    maxMs: toMs(sorted.at(-1)),
    intervals: Object.fromEntries(NAMES.map((name) => [name, interval(name)])),
    fewSamples: NAMES.filter((name) => hasFewSamples(total, PERCENTILES[name])),
    hdr: encodeHistogram(histogramOf(sorted)),
  };
}
