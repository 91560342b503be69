import { emptySamples, OUTCOME, type Samples, UNSERVED } from '../../lib/records/load/load.ts';
import { createFailures } from './failures.ts';
import { dueAt, type Pace, reconstructTicks } from './schedule.ts';
import { codeOf, SEEN, type StreamTable } from './table.ts';

/** The scenario knows its start in whole milliseconds only. */
const ORIGIN_GRAIN_US = 999;
/** k6 readies its connections between the start that it tells the scenario and the first place of a schedule of stages. */
const READY_US = 100_000;
/** k6 starts nothing before its time: an earlier start means that clock or record are wrong. */
const EARLY_US = 2000;

/** Moment a transaction was begun: NaN where nothing of the iteration is known. */
function startOf({ columns }: StreamTable, seq: number): number {
  const seen = columns.seen[seq] ?? 0;
  const iterationStart = (seen & SEEN.iteration) === 0 ? Number.NaN : (columns.iterationStartUs[seq] ?? 0);
  // Without an answer k6 does not say how long the connection took: the iteration's own start is what is known.
  if ((seen & SEEN.duration) === 0 || columns.status[seq] === 0) return iterationStart;
  const sent = (columns.endUs[seq] ?? 0) - (columns.serviceUs[seq] ?? 0) - (columns.blockedUs[seq] ?? 0);
  const begun = sent - (columns.waitUs[seq] ?? 0);
  // On a new connection k6 counts the time between connected and handed over twice; no transaction began before its iteration.
  return Number.isNaN(iterationStart) ? begun : Math.max(iterationStart, begun);
}

/** The scenario's start, corrected by the smallest lag, of which less than 1 ms is rounding; with stages, all of it is k6 getting ready. */
function originOf({ originUs, dropsUs }: StreamTable, starts: Float64Array, schedule: Pace): number {
  // Nothing was started: the first drop is the best that is known.
  if (Number.isNaN(originUs)) return Math.min(...dropsUs.slice(0, 1), Number.MAX_SAFE_INTEGER);
  const random = schedule.duesUs !== undefined;
  const ticks = random ? reconstructTicks({ ...schedule, originUs, started: starts.length, dropsUs }).started : null;
  let least = Number.POSITIVE_INFINITY;
  for (let seq = 0; seq < starts.length; seq += 1) {
    const lag = (starts[seq] ?? Number.NaN) - originUs - dueAt(schedule, ticks?.[seq] ?? seq);
    if (lag < least) least = lag;
  }
  return originUs + Math.min(Math.max(Math.floor(least), 0), random ? READY_US : ORIGIN_GRAIN_US);
}

function micros(value: number): number {
  return Math.min(Math.max(Math.round(value), 0), UNSERVED - 1);
}

function fillStarted(
  samples: Samples,
  table: StreamTable,
  at: { readonly seq: number; readonly tick: number; readonly dueUs: number; readonly startUs: number },
  failures: ReturnType<typeof createFailures>,
): boolean {
  const { seq, tick, dueUs, startUs } = at;
  const { columns } = table;
  samples.seq[tick] = seq;
  samples.lagUs[tick] = Number.isNaN(startUs) ? UNSERVED : micros(startUs - dueUs);
  if (((columns.seen[seq] ?? 0) & SEEN.duration) === 0) {
    samples.outcome[tick] = failures.unrecorded();
    samples.serviceUs[tick] = UNSERVED;
    samples.responseUs[tick] = UNSERVED;
    return false;
  }
  samples.serviceUs[tick] = micros(columns.serviceUs[seq] ?? 0);
  samples.responseUs[tick] = micros((columns.endUs[seq] ?? 0) - dueUs);
  const ending = { status: columns.status[seq] ?? 0, errorCode: columns.errorCode[seq] ?? 0 };
  samples.outcome[tick] = failures.outcome({ ...ending, code: codeOf(table, seq), said: saidOf(table, seq) });
  return true;
}

const saidOf = ({ columns, messages }: StreamTable, seq: number) => messages.first[(columns.said[seq] ?? 0) - 1];

/** One row for each arrival of the schedule, in order. Started ones without a record failed without a time; dropped ones are unserved. */
export function toSamples(
  table: StreamTable,
  periodNs: number,
  { transportExample, duesUs }: Pick<Pace, 'duesUs'> & { readonly transportExample?: string | undefined } = {},
) {
  const schedule = { periodUs: periodNs / 1000, duesUs };
  const { started, dropsUs } = table;
  const starts = Float64Array.from({ length: started }, (_, seq) => startOf(table, seq));
  const originUs = originOf(table, starts, schedule);
  // The uncorrected start is never after the true one, so a drop is never placed before its intended start.
  const earliestUs = Number.isNaN(table.originUs) ? originUs : Math.max(table.originUs, originUs - ORIGIN_GRAIN_US);
  const ticks = reconstructTicks({ ...schedule, originUs: earliestUs, started, dropsUs });
  const samples = emptySamples(started + dropsUs.length);
  for (let tick = 0; tick < samples.dueUs.length; tick += 1) samples.dueUs[tick] = dueAt(schedule, tick);
  for (const tick of ticks.dropped) {
    samples.outcome[tick] = OUTCOME.dropped;
    for (const column of [samples.serviceUs, samples.responseUs, samples.lagUs, samples.seq]) column[tick] = UNSERVED;
  }
  const failures = createFailures(transportExample);
  let recorded = 0;
  let early = 0;
  for (let seq = 0; seq < started; seq += 1) {
    const tick = ticks.started[seq] ?? 0;
    const dueUs = originUs + dueAt(schedule, tick);
    const startUs = starts[seq] ?? Number.NaN;
    if (startUs < dueUs - EARLY_US) early += 1;
    if (fillStarted(samples, table, { seq, tick, dueUs, startUs }, failures)) recorded += 1;
  }
  const withoutTransaction = table.iterations - table.requests;
  const counts = { scheduled: samples.dueUs.length, started, dropped: dropsUs.length, recorded, withoutTransaction };
  return { samples, failures: failures.counted, early, counts };
}
export type Collected = ReturnType<typeof toSamples>;
