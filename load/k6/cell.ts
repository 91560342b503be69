import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GeneratorError } from '../../lib/errors.ts';
import { mergeCounts, mergeGenerators, startSpreadMs } from '../../lib/records/merge/cells.ts';
import { mergeShares, placeShare } from '../../lib/records/merge/segments.ts';
import { type Share, scheduleStartUs } from '../../lib/records/merge/share.ts';
import { periodNs } from '../../lib/wire/scenario.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import { type Collected, toSamples } from '../stream/samples.ts';
import type { CellDeps, CellRun, CellRunPart } from './cell-types.ts';
import { checkSpec } from './command.ts';
import { generatorFacts } from './facts.ts';
import { runShares } from './segments.ts';
import { runStream, type Stream } from './stream.ts';

const NS_PER_US = 1000;

function digestOf(bundle: string): string {
  try {
    return createHash('sha256').update(readFileSync(bundle)).digest('hex');
  } catch (cause) {
    throw new GeneratorError('no-bundle', `the scenario ${bundle} is missing`, { cause, hint: 'run: npm run build' });
  }
}

/** What the processes recorded of the ramp-up together. */
function rampOf(spec: CellSpec, streams: readonly Stream[]): Pick<CellRun, 'ramp'> {
  if (spec.ramp === undefined) return {};
  const ramps = streams.map(({ table }) => table.ramp);
  const sum = (key: 'failed' | 'dropped') => ramps.reduce((total, ramp) => total + ramp[key], 0);
  return {
    ramp: { succeeded: ramps.flatMap(({ succeeded }) => succeeded), failed: sum('failed'), dropped: sum('dropped') },
  };
}

type Recorded = Pick<CellRun, 'samples' | 'counts' | 'failures' | 'generator'>;

function recordedOf(stream: Stream, deps: CellDeps, bundleSha256: string): Recorded {
  const collected: Collected = toSamples(stream.table, stream.periodNs, {
    transportExample: stream.log.requestError(),
    duesUs: stream.duesUs,
  });
  const { withoutTransaction, ...counts } = collected.counts;
  return {
    samples: collected.samples,
    // An exception ends an iteration; one that came before the request leaves an iteration without a transaction.
    counts: { ...counts, exceptions: Math.max(stream.log.exceptions(), withoutTransaction, 0) },
    failures: collected.failures,
    generator: generatorFacts(stream, collected, deps, bundleSha256),
  };
}

/** A share on the schedule of the whole, and the moment at which that schedule began for its process. */
function partOf(recorded: Recorded, stream: Stream, share: Share, periodUs: number): CellRunPart {
  const { samples, ...facts } = recorded;
  return {
    ...facts,
    ...share,
    samples: placeShare(samples, share, periodUs),
    // A process that never began is as far from a common start as can be.
    startUs: Number.isNaN(stream.table.originUs) ? 0 : scheduleStartUs(share, stream.table.originUs, periodUs),
  };
}

/** Stopped by a rule, or by the caller; a rule is no abort of the run. */
function endOf(streams: readonly Stream[], { signal }: CellDeps): Pick<CellRun, 'aborted' | 'stopped'> {
  const stopped = streams.find((stream) => stream.stopped !== undefined)?.stopped;
  if (stopped !== undefined) return { aborted: false, stopped };
  return { aborted: signal?.aborted === true && streams.some(({ ending }) => ending.aborted) };
}

async function runSegments(
  spec: CellSpec,
  deps: CellDeps,
  bundleSha256: string,
  of: number,
): Promise<Omit<CellRun, 'startedAt'>> {
  const shares = await runShares(spec, deps, of);
  const periodUs = periodNs(spec.ratePerSecond) / NS_PER_US;
  const parts = shares.map(({ stream, ...share }) =>
    partOf(recordedOf(stream, deps, bundleSha256), stream, share, periodUs),
  );
  return {
    ...mergeShares(parts, periodUs),
    counts: mergeCounts(parts.map(({ counts }) => counts)),
    generator: mergeGenerators(
      parts.map(({ generator }) => generator),
      true,
    ),
    segments: { of, startSpreadMs: startSpreadMs(parts.map(({ startUs }) => startUs)) },
    ...rampOf(
      spec,
      shares.map(({ stream }) => stream),
    ),
    ...endOf(
      shares.map(({ stream }) => stream),
      deps,
    ),
    parts,
  };
}

/**
 * Runs one cell on one k6 process, or on several that share its arrivals, and returns what was recorded, also where k6 failed, was
 * killed or was stopped: the judge decides what that is worth. Rejects with `UsageError` for a cell k6 cannot run as it is meant, and
 * with `GeneratorError` where k6 or the bundle cannot be started.
 */
export async function runCell(spec: CellSpec, deps: CellDeps): Promise<CellRun> {
  checkSpec(spec);
  const bundleSha256 = digestOf(deps.bundle);
  const startedAt = new Date().toISOString();
  const { segments = 1 } = spec;
  if (segments > 1) return { startedAt, ...(await runSegments(spec, deps, bundleSha256, segments)) };
  const stream = await runStream(spec, deps);
  return { startedAt, ...recordedOf(stream, deps, bundleSha256), ...rampOf(spec, [stream]), ...endOf([stream], deps) };
}
