import type { Bucket } from '../records/load.ts';
import { meanInFlight } from '../stats/in-flight.ts';
import { percentile } from '../stats/percentile.ts';
import type { Arrival, CellWindow } from './cell-window.ts';

const US = 1e6;

/** A bucket with its own length: the last one may be shorter. */
export type SizedBucket = Bucket & { readonly seconds: number };

function inFlightOf(window: CellWindow, widthUs: number, count: number): number[] {
  const whole = Math.floor((window.toUs - window.fromUs) / widthUs);
  const means = meanInFlight(window.transactions, window.fromUs, widthUs, whole);
  if (count > whole) {
    const from = window.fromUs + whole * widthUs;
    means.push(...meanInFlight(window.transactions, from, window.toUs - from, 1));
  }
  return means;
}

function bucketOf(arrivals: readonly Arrival[], startSeconds: number, seconds: number, inFlight: number): SizedBucket {
  const served = arrivals.filter(({ fate }) => fate === 'succeeded');
  const dropped = arrivals.filter(({ fate }) => fate === 'dropped').length;
  const responses = Float64Array.from(served, ({ responseUs }) => responseUs).sort();
  const unserved = arrivals.length - served.length;
  const ms = (us: number | null) => (us === null ? null : us / 1000);
  const started = arrivals.length - dropped;
  return {
    startSeconds,
    seconds,
    scheduled: arrivals.length,
    started,
    dropped,
    succeeded: served.length,
    failed: started - served.length,
    offeredPerSecond: started / seconds,
    achievedPerSecond: served.length / seconds,
    inFlight,
    responseP50Ms: ms(percentile(responses, unserved, 0.5)),
    responseP99Ms: ms(percentile(responses, unserved, 0.99)),
  };
}

/** The window in buckets of intended start; the last one ends with the window. */
export function cellBuckets(window: CellWindow, bucketSeconds: number): SizedBucket[] {
  const count = Math.ceil(window.seconds / bucketSeconds);
  const groups: Arrival[][] = Array.from({ length: count }, () => []);
  const widthUs = bucketSeconds * US;
  for (const arrival of window.arrivals) groups[Math.floor((arrival.dueUs - window.fromUs) / widthUs)]?.push(arrival);
  const inFlight = inFlightOf(window, widthUs, count);
  return groups.map((group, index) => {
    const start = index * bucketSeconds;
    return bucketOf(
      group,
      window.fromUs / US + start,
      Math.min(bucketSeconds, window.seconds - start),
      inFlight[index] ?? 0,
    );
  });
}
