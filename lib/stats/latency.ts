import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';
import { blockInterval } from './block-interval.ts';
import { countWhile, hasFewSamples, percentile } from './percentile.ts';

const DIGITS = 3;
/** What an unsigned 32-bit column of microseconds can hold, about 71 minutes. */
const HIGHEST_US = 2 ** 32;

/** An empty histogram of microseconds: three digits, up to 71 minutes. */
const createHistogram = (): Histogram =>
  build({
    bitBucketSize: 32,
    numberOfSignificantValueDigits: DIGITS,
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    autoResize: false,
  });

/** Histogram of whole microseconds. Throws on a value that is negative, not finite or beyond that. */
export function histogramOf(valuesUs: ArrayLike<number>): Histogram {
  const histogram = createHistogram();
  for (let index = 0; index < valuesUs.length; index += 1) {
    const value = valuesUs[index] ?? Number.NaN;
    // The library would count NaN as 0.
    if (!(value >= 0 && value <= HIGHEST_US)) throw new RangeError(`${value} us is no latency`);
    histogram.recordValue(Math.round(value));
  }
  return histogram;
}

/** V2 compressed, base64. Its exact minimum and maximum are lost: keep them beside it. */
export const encodeHistogram = (histogram: Histogram): string => encodeIntoCompressedBase64(histogram);

/** Reads `encodeHistogram`. Throws on anything else. */
export const decodeHistogram = (text: string): Histogram => decodeFromCompressedBase64(text, 32, false);

const US_PER_MS = 1000;
export const PERCENTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const;
export type PercentileName = keyof typeof PERCENTILES;
const NAMES = Object.keys(PERCENTILES) as readonly PercentileName[];

const toMs = (us: number | null | undefined): number | null =>
  us === null || us === undefined ? null : us / US_PER_MS;

/** Latencies in time order, microseconds: infinite if an arrival was not served. `atUs`: their moments; their order if absent. */
interface Latencies {
  readonly valuesUs: ArrayLike<number>;
  readonly atUs?: Float64Array;
}

/**
 * Percentiles of all arrivals, the unserved ones above all others. `count`, `meanServedMs` and `maxServedMs` are of the served ones
 * alone; a percentile that falls among the unserved is null, and so is the maximum where there are any.
 */
export function summarizeLatency({ valuesUs, atUs }: Latencies) {
  const values = valuesUs instanceof Float64Array ? valuesUs : Float64Array.from(valuesUs);
  const timed = { values, at: atUs ?? Float64Array.from(values, (_, place) => place) };
  const sorted = values.slice().sort();
  const total = sorted.length;
  const served = sorted.subarray(
    0,
    countWhile(total, (place) => Number.isFinite(sorted[place])),
  );
  const unserved = total - served.length;
  const of = (name: PercentileName) => toMs(percentile(served, unserved, PERCENTILES[name]));
  const sum = served.reduce((before, value) => before + value, 0);
  const found = NAMES.map((name) => ({ name, interval: blockInterval(timed, sorted, PERCENTILES[name]) }));
  return {
    count: served.length,
    unserved,
    minMs: toMs(served[0]),
    meanServedMs: served.length === 0 ? null : sum / served.length / US_PER_MS,
    p50Ms: of('p50'),
    p90Ms: of('p90'),
    p95Ms: of('p95'),
    p99Ms: of('p99'),
    p999Ms: of('p999'),
    maxMs: unserved > 0 ? null : toMs(served.at(-1)),
    maxServedMs: toMs(served.at(-1)),
    intervals: Object.fromEntries(
      found.map(({ name, interval: given }): [string, [number | null, number | null]] => [
        name,
        given === 'too-short' ? [null, null] : [toMs(given[0]), toMs(given[1])],
      ]),
    ),
    fewSamples: NAMES.filter((name) => hasFewSamples(total, PERCENTILES[name])) as string[],
    windowTooShort: found.flatMap(({ name, interval }): string[] => (interval === 'too-short' ? [name] : [])),
    hdr: encodeHistogram(histogramOf(served)),
  };
}
/** Summary of a latency in milliseconds; the shape of the report's `Latency`. */
export type LatencySummary = ReturnType<typeof summarizeLatency>;
