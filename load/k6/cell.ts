import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defined } from '../../lib/defined.ts';
import { GeneratorError } from '../../lib/errors.ts';
import type { CellProgress } from '../../lib/records/load/progress.ts';
import { mergeGenerators, mergeParts, placeShare } from '../../lib/records/merge/segments.ts';
import { type Share, scheduleStartUs, WHOLE } from '../../lib/records/merge/share.ts';
import { periodNs } from '../../lib/wire/scenario.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import { type Collected, toSamples } from '../stream/samples.ts';
import type { StreamTable } from '../stream/table.ts';
import { type CellDeps, type CellRun, generatorFacts } from './facts.ts';
import { openStartGate } from './start-gate.ts';
import { runStream, type Stream } from './stream.ts';

/** Adds up the seconds of several processes; told on each second of the first. */
function together(of: number, tell: ((progress: CellProgress) => void) | undefined) {
  const latest = new Map<number, CellProgress>();
  return (index: number) => (progress: CellProgress) => {
    latest.set(index, progress);
    if (index !== 0 || latest.size < of) return;
    const all = [...latest.values()];
    const sum = (key: 'startedPerSecond' | 'dropped' | 'failed') => all.reduce((total, one) => total + one[key], 0);
    const known = (key: 'p50Ms' | 'p99Ms' | 'inFlight') => all.map((one) => one[key]).filter((value) => value !== null);
    const slowest = (key: 'p50Ms' | 'p99Ms') => known(key).reduce<number | null>((a, b) => Math.max(a ?? b, b), null);
    const inFlight = known('inFlight');
    tell?.({
      ...{ second: progress.second, startedPerSecond: sum('startedPerSecond') },
      ...{ dropped: sum('dropped'), failed: sum('failed'), p50Ms: slowest('p50Ms'), p99Ms: slowest('p99Ms') },
      inFlight: inFlight.length < of ? null : inFlight.reduce((total, one) => total + one, 0),
    });
  };
}

/** Runs a cell as equal execution segments that wait for each other. If one ends before the start, all are stopped. */
async function runShares(spec: CellSpec, deps: CellDeps, of: number) {
  const stop = new AbortController();
  const ended = new AbortController();
  const signal = deps.signal === undefined ? stop.signal : AbortSignal.any([deps.signal, stop.signal]);
  const seconds = together(of, deps.onSecond);
  // Counts are shared, shares are not.
  const forbidden = Math.max(1, Math.ceil((deps.abort?.forbidden ?? 1) / of));
  const abort = defined({ abort: deps.abort && { ...deps.abort, forbidden } });
  const gate = await openStartGate(of, AbortSignal.any([signal, ended.signal]));
  const streams = Array.from({ length: of }, async (_, index) => {
    const share = { index, of, gate: gate.urlOf(index) };
    try {
      const stream = await runStream(spec, { ...deps, ...abort, signal, onSecond: seconds(index) }, share);
      // What one of them must not go on with, none may.
      if (stream.stopped !== undefined) stop.abort();
      return { index, of, stream };
    } catch (fault) {
      stop.abort();
      throw fault;
    } finally {
      ended.abort();
    }
  });
  const all = Promise.allSettled(streams);
  try {
    await gate.opened;
  } catch (cause) {
    stop.abort();
    gate.shut();
    const results = await all;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    // A process that ended by itself has said why: its stream tells the judge.
    if (!ended.signal.aborted) throw new GeneratorError('k6-start', 'the segments could not be started', { cause });
  }
  // Whatever comes next on the target waits for the last of them.
  await all;
  return Promise.all(streams);
}

const NS_PER_US = 1000;

function digestOf(bundle: string): string {
  try {
    return createHash('sha256').update(readFileSync(bundle)).digest('hex');
  } catch (cause) {
    throw new GeneratorError('no-bundle', `the scenario ${bundle} is missing`, { cause, hint: 'run: npm run build' });
  }
}

/** What processes recorded of the ramp-up together. */
export function rampOf(tables: readonly StreamTable[]): NonNullable<CellRun['ramp']> {
  const sum = (key: 'failed' | 'dropped') => tables.reduce((total, { ramp }) => total + ramp[key], 0);
  return { succeeded: tables.flatMap(({ ramp }) => ramp.succeeded), failed: sum('failed'), dropped: sum('dropped') };
}

/** What the rows of one process hold of its share, on the schedule of the whole. `thrown`: exceptions that it said on the side. */
export function sharePart(table: StreamTable, collected: Collected, share: Share, periodUs: number, thrown = 0) {
  const { samples, failures } = collected;
  const { withoutTransaction, ...counts } = collected.counts;
  return {
    ...{ index: share.index, of: share.of, failures },
    samples: placeShare(samples, share, periodUs),
    // An exception ends an iteration; one that came before the request leaves an iteration without a transaction.
    counts: { ...counts, exceptions: Math.max(thrown, withoutTransaction, 0) },
    // A process that never began is as far from a common start as can be.
    startUs: Number.isNaN(table.originUs) ? 0 : scheduleStartUs(share, table.originUs, periodUs),
  };
}

/** Stopped by a rule, or by the caller; a rule is no abort of the run. */
function endOf(streams: readonly Stream[], { signal }: CellDeps): Pick<CellRun, 'aborted' | 'stopped'> {
  const stopped = streams.find((stream) => stream.stopped !== undefined)?.stopped;
  if (stopped !== undefined) return { aborted: false, stopped };
  return { aborted: signal?.aborted === true && streams.some(({ ending }) => ending.aborted) };
}

/** Runs a cell on one k6 process or several. Returns what was recorded even if k6 failed or was stopped: the judge decides. */
export async function runCell(spec: CellSpec, deps: CellDeps): Promise<CellRun> {
  const bundleSha256 = digestOf(deps.bundle);
  const startedAt = new Date().toISOString();
  const { segments = 1 } = spec;
  const shares =
    segments > 1 ? await runShares(spec, deps, segments) : [{ ...WHOLE, stream: await runStream(spec, deps) }];
  const periodUs = periodNs(spec.ratePerSecond) / NS_PER_US;
  const parts = shares.map(({ stream, ...share }) => {
    const { table, log, duesUs } = stream;
    const collected = toSamples(table, stream.periodNs, { transportExample: log.requestError(), duesUs });
    const part = sharePart(table, collected, share, periodUs, log.exceptions());
    return { ...part, generator: generatorFacts(stream, collected, deps, bundleSha256) };
  });
  const streams = shares.map(({ stream }) => stream);
  const ramp = spec.ramp === undefined ? {} : { ramp: rampOf(streams.map(({ table }) => table)) };
  const ended = { startedAt, ...ramp, ...endOf(streams, deps) };
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) {
    const { samples, counts, failures, generator } = only;
    return { ...ended, samples, counts, failures, generator };
  }
  const generator = mergeGenerators(parts.map((part) => part.generator));
  return { ...ended, ...mergeParts(parts, periodUs), generator };
}
