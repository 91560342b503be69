import type { Bucket, CellFacts, Samples } from '../../records/load/load.ts';
import { meanInFlight } from '../../stats/in-flight.ts';
import { percentile } from '../../stats/percentile.ts';
import { settledFrom } from '../../stats/trend.ts';
import { type CellWindow, cellWindow } from './window.ts';

const US = 1e6;

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

/** What lies in each bucket, counted, and the response times of its successes, microseconds. */
function talliesOf(window: CellWindow, widthUs: number, count: number) {
  const tallies = Array.from({ length: count }, () => ({ scheduled: 0, dropped: 0, responses: [] as number[] }));
  for (const { dueUs, fate, responseUs } of window.arrivals) {
    const tally = tallies[Math.min(count - 1, Math.floor((dueUs - window.fromUs) / widthUs))];
    if (tally === undefined) continue;
    tally.scheduled += 1;
    if (fate === 'dropped') tally.dropped += 1;
    if (fate === 'succeeded') tally.responses.push(responseUs);
  }
  return tallies;
}

/** The window in buckets of intended start; the last one ends with the window. */
export function cellBuckets(window: CellWindow, bucketSeconds: number): SizedBucket[] {
  const count = Math.ceil(window.seconds / bucketSeconds);
  const widthUs = bucketSeconds * US;
  const inFlight = inFlightOf(window, widthUs, count);
  const ms = (us: number | null) => (us === null ? null : us / 1000);
  return talliesOf(window, widthUs, count).map(({ scheduled, dropped, responses }, slot) => {
    const succeeded = responses.length;
    const sorted = Float64Array.from(responses).sort();
    const start = slot * bucketSeconds;
    const seconds = Math.min(bucketSeconds, window.seconds - start);
    const started = scheduled - dropped;
    return {
      ...{ startSeconds: window.fromUs / US + start, seconds, scheduled, started, dropped, succeeded },
      failed: started - succeeded,
      offeredPerSecond: started / seconds,
      achievedPerSecond: succeeded / seconds,
      inFlight: inFlight[slot] ?? 0,
      responseP50Ms: ms(percentile(sorted, scheduled - succeeded, 0.5)),
      responseP99Ms: ms(percentile(sorted, scheduled - succeeded, 0.99)),
    };
  });
}

/** Medians that a cell is looked at by, at most; each of so many arrivals at least. */
const SLOTS = 60;
const LEAST_ARRIVALS = 10;

/** Seconds from the first arrival until the median response time stays on one level; null if never, undefined if too little is known. */
export function settledSeconds(facts: CellFacts, samples: Samples | null): number | null | undefined {
  const { durationSeconds, targetPerSecond, stretches } = facts.plan;
  const slots = Math.min(SLOTS, Math.floor((durationSeconds * targetPerSecond) / LEAST_ARRIVALS));
  if (slots === 0 || stretches !== undefined) return undefined;
  const slotSeconds = durationSeconds / slots;
  const whole = cellWindow({ ...facts, plan: { ...facts.plan, warmupSeconds: 0 } }, samples);
  const levels = cellBuckets(whole, slotSeconds).flatMap(({ responseP50Ms }) => responseP50Ms ?? []);
  const from = levels.length < slots ? undefined : settledFrom(levels);
  return from === undefined || from === null ? from : from * slotSeconds;
}

export function settledWords(settled: number | null | undefined, warmupSeconds: number): string | undefined {
  if (settled === undefined) return undefined;
  if (settled === null) return 'the median response time never settled on one level';
  const beyond = settled - warmupSeconds;
  if (beyond <= 0) return 'the median response time stayed on one level from the end of the warm-up on';
  return `the median response time settled ${beyond.toFixed(1)} s after the warm-up; the figures include the time before`;
}
