import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';

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
