import type { Bucket } from '../../records/load/load.ts';
import { meanInFlight } from '../../stats/in-flight.ts';
import { percentile } from '../../stats/percentile.ts';
import type { Arrival, CellWindow } from './window.ts';

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

/** What lies in each bucket, counted; the response times of all successes stand in one column, bucket after bucket. */
function tallyOf(window: CellWindow, widthUs: number, count: number) {
  const [scheduled, dropped, succeeded] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
  const slotOf = ({ dueUs }: Arrival) => Math.min(count - 1, Math.floor((dueUs - window.fromUs) / widthUs));
  const add = (column: Uint32Array, slot: number) => {
    column[slot] = (column[slot] ?? 0) + 1;
  };
  for (const arrival of window.arrivals) {
    const slot = slotOf(arrival);
    add(scheduled, slot);
    if (arrival.fate === 'dropped') add(dropped, slot);
    if (arrival.fate === 'succeeded') add(succeeded, slot);
  }
  const next = new Uint32Array(count);
  for (let slot = 1; slot < count; slot += 1) next[slot] = (next[slot - 1] ?? 0) + (succeeded[slot - 1] ?? 0);
  const responses = new Float64Array(succeeded.reduce((sum, number) => sum + number, 0));
  for (const arrival of window.arrivals) {
    if (arrival.fate !== 'succeeded') continue;
    const slot = slotOf(arrival);
    responses[next[slot] ?? 0] = arrival.responseUs;
    add(next, slot);
  }
  return { scheduled, dropped, succeeded, responses };
}

/** The window in buckets of intended start; the last one ends with the window. */
export function cellBuckets(window: CellWindow, bucketSeconds: number): SizedBucket[] {
  const count = Math.ceil(window.seconds / bucketSeconds);
  const widthUs = bucketSeconds * US;
  const tally = tallyOf(window, widthUs, count);
  const inFlight = inFlightOf(window, widthUs, count);
  const ms = (us: number | null) => (us === null ? null : us / 1000);
  let from = 0;
  return Array.from({ length: count }, (_, slot) => {
    const [scheduled = 0, dropped = 0, succeeded = 0] = [
      tally.scheduled[slot],
      tally.dropped[slot],
      tally.succeeded[slot],
    ];
    const responses = tally.responses.subarray(from, from + succeeded).sort();
    from += succeeded;
    const start = slot * bucketSeconds;
    const seconds = Math.min(bucketSeconds, window.seconds - start);
    const started = scheduled - dropped;
    return {
      ...{ startSeconds: window.fromUs / US + start, seconds, scheduled, started, dropped, succeeded },
      failed: started - succeeded,
      offeredPerSecond: started / seconds,
      achievedPerSecond: succeeded / seconds,
      inFlight: inFlight[slot] ?? 0,
      responseP50Ms: ms(percentile(responses, scheduled - succeeded, 0.5)),
      responseP99Ms: ms(percentile(responses, scheduled - succeeded, 0.99)),
    };
  });
}
