import { type Bucket, type CellFacts, OUTCOME, type Samples, type Stall, UNSERVED } from '../../records/load/load.ts';
import { DID_NOT_HOLD, K6_STOPPED } from '../../records/vocabulary.ts';
import { type Interval, inFlightAt, meanInFlight } from '../../stats/in-flight.ts';
import { percentile } from '../../stats/percentile.ts';
import { settledFrom } from '../../stats/trend.ts';

const US = 1e6;

/** Begin and end of a transaction, and how late it was begun, microseconds. */
interface Transaction extends Interval {
  readonly lagUs: number;
}

/** `unknown` if the facts name no such class; `despite` for an error that this target answers to what it carried out. */
function kindOf({ failures, doneDespite }: CellFacts, index: number) {
  const failure = failures[index];
  if (failure === undefined) return 'unknown';
  return failure.status === doneDespite?.status && failure.kind !== 'state' ? 'despite' : failure.kind;
}

function arrivalAt(samples: Samples, index: number, facts: CellFacts) {
  const outcome = samples.outcome[index] ?? OUTCOME.dropped;
  const fate = outcome === OUTCOME.success ? 'succeeded' : outcome === OUTCOME.dropped ? 'dropped' : 'failed';
  return {
    dueUs: samples.dueUs[index] ?? 0,
    serviceUs: samples.serviceUs[index] ?? UNSERVED,
    responseUs: samples.responseUs[index] ?? UNSERVED,
    lagUs: samples.lagUs[index] ?? UNSERVED,
    fate,
    kind: fate === 'failed' ? kindOf(facts, outcome - OUTCOME.firstFailure) : null,
  };
}
export type Arrival = ReturnType<typeof arrivalAt>;

/** Walks from the start each time it is asked to. */
const walk = <T>(steps: () => Generator<T>): Iterable<T> => ({ [Symbol.iterator]: steps });

/** Transactions that were begun at most so late: those of a generator that was held up are its own doing. */
export const onTime = ({ transactions }: CellWindow, lateUs: number): Iterable<Transaction> =>
  walk(function* () {
    for (const transaction of transactions) if (transaction.lagUs <= lateUs) yield transaction;
  });

export function countOf<T>(items: Iterable<T>, takes: (item: T) => boolean = () => true): number {
  let count = 0;
  for (const item of items) if (takes(item)) count += 1;
  return count;
}

export function column<T>(items: Iterable<T>, most: number, pick: (item: T) => number | undefined): Float64Array {
  const values = new Float64Array(most);
  let count = 0;
  for (const item of items) {
    const value = pick(item);
    if (value !== undefined) values[count++] = value;
  }
  return values.subarray(0, count);
}

/** True for a cell that somebody ended before its time, and no rule of ours. */
export const isInterrupted = ({ stopped, generator }: CellFacts): boolean =>
  stopped === undefined && generator.exitCode === K6_STOPPED;

/** End of the last whole second of a cell that was interrupted, or showed early that its rate does not hold. */
function endUs(facts: CellFacts, samples: Samples | null): number {
  const isCut = facts.stopped?.rule === DID_NOT_HOLD || isInterrupted(facts);
  if (!isCut || samples === null) return Number.POSITIVE_INFINITY;
  const last = samples.dueUs.reduce((most, dueUs) => Math.max(most, dueUs), 0);
  return Math.floor(last / US) * US;
}

/** Cuts the measured window out of the samples; empty if there are none. */
export function cellWindow(facts: CellFacts, samples: Samples | null) {
  const { warmupSeconds, durationSeconds } = facts.plan;
  const fromUs = warmupSeconds * US;
  const toUs = Math.max(fromUs, Math.min(durationSeconds * US, endUs(facts, samples)));
  const total = samples?.dueUs.length ?? 0;
  const within = (index: number) => {
    const dueUs = samples?.dueUs[index] ?? -1;
    return dueUs >= fromUs && dueUs < toUs;
  };
  let count = 0;
  for (let index = 0; index < total; index += 1) if (within(index)) count += 1;
  return {
    ...{ fromUs, toUs, seconds: (toUs - fromUs) / US, count },
    arrivals: walk(function* () {
      for (let index = 0; samples !== null && index < total; index += 1) {
        if (within(index)) yield arrivalAt(samples, index, facts);
      }
    }),
    /** Begin and end of every transaction of the cell whose times are known, warm-up included: they fill the connections too. */
    transactions: walk(function* () {
      for (let index = 0; samples !== null && index < total; index += 1) {
        const [dueUs = 0, lagUs = UNSERVED] = [samples.dueUs[index], samples.lagUs[index]];
        const responseUs = samples.responseUs[index] ?? UNSERVED;
        if (lagUs === UNSERVED || responseUs === UNSERVED) continue;
        yield { start: dueUs + lagUs, end: dueUs + responseUs, lagUs };
      }
    }),
  };
}

/** What the figures of a cell are made of, one by one as they are walked through: an hour of objects would take hundreds of megabytes. */
export type CellWindow = ReturnType<typeof cellWindow>;

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

const US_PER_MS = 1000;
/** A shorter time without an answer is a pause that any garbage collector makes. */
const LEAST_MS = 100;
/** No answer for this many service times, or this many arrivals, is no slow answer, and no low rate. */
const SERVICE_TIMES = 3;
const ARRIVALS = 10;

/** Times in order in which the target answered nothing, although transactions waited that were started on time. */
export function stallsOf(window: CellWindow, targetPerSecond: number, lateUs: number): readonly Stall[] {
  const count = countOf(window.transactions);
  const ends = column(window.transactions, count, ({ end }) => end).sort();
  const held = column(window.transactions, count, ({ start, end }) => end - start).sort();
  const usual = percentile(held, 0, 0.5) ?? 0;
  const least = Math.max(LEAST_MS * US_PER_MS, SERVICE_TIMES * usual, (ARRIVALS * US) / targetPerSecond);
  const gaps: { readonly from: number; readonly to: number }[] = [];
  for (let at = 1; at < ends.length; at += 1) {
    const [from = 0, to = 0] = [ends[at - 1], ends[at]];
    if (to - from >= least && from < window.toUs && to > window.fromUs) gaps.push({ from, to });
  }
  if (gaps.length === 0) return [];
  const waiting = inFlightAt(
    onTime(window, lateUs),
    gaps.map(({ from, to }) => (from + to) / 2),
  );
  return gaps
    .filter((_, index) => (waiting[index] ?? 0) > 0)
    .map(({ from, to }) => ({ startSeconds: from / US, ms: (to - from) / US_PER_MS }));
}

/** Is this moment within a stall, or within its length after it, while what piled up is worked off? */
export const duringStall = (stalls: readonly Stall[], atUs: number): boolean =>
  stalls.some(({ startSeconds, ms }) => {
    const from = startSeconds * US;
    return atUs >= from && atUs <= from + 2 * ms * US_PER_MS;
  });

/** Stalls in words: how long, from when; the longest if there are several. */
export function stallWords(stalls: readonly Stall[]): string {
  const longest = stalls.reduce((most, stall) => (stall.ms > most.ms ? stall : most));
  const one = `${Math.round(longest.ms)} ms from second ${longest.startSeconds.toFixed(1)}`;
  return stalls.length === 1 ? `for ${one}` : `${stalls.length} times, the longest for ${one}`;
}
