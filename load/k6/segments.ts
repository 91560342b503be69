import { defined } from '../../lib/defined.ts';
import { GeneratorError } from '../../lib/errors.ts';
import type { CellProgress } from '../../lib/records/load/progress.ts';
import type { AbortLimits } from '../plan/abort-rules.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import type { CellDeps } from './cell-types.ts';
import { openStartGate } from './start-gate.ts';
import { runStream } from './stream.ts';

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

/** Abort rules for one of several processes: counts are shared, shares are not. */
function shareOfLimits(limits: AbortLimits, of: number): AbortLimits {
  return { ...limits, forbidden: Math.max(1, Math.ceil(limits.forbidden / of)) };
}

/** Runs a cell as equal execution segments that wait for each other. Where one ends before the start, all are stopped. */
export async function runShares(spec: CellSpec, deps: CellDeps, of: number) {
  const stop = new AbortController();
  const ended = new AbortController();
  const signal = deps.signal === undefined ? stop.signal : AbortSignal.any([deps.signal, stop.signal]);
  const seconds = together(of, deps.onSecond);
  const abort = defined({ abort: deps.abort && shareOfLimits(deps.abort, of) });
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
