import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GeneratorError } from '../../lib/errors.ts';
import { type CellFacts, emptySamples, type Samples } from '../../lib/records/load/load.ts';
import type { CellProgress } from '../../lib/records/load/parts.ts';
import { placeShare, type Share, scheduleStartUs, WHOLE } from '../../lib/records/merge/segments.ts';
import { counted } from '../../lib/text.ts';
import type { AbortLimits, Stop } from '../plan/abort-rules.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import { type Collected, toSamples } from '../stream/samples.ts';
import type { StreamTable } from '../stream/table.ts';
import type { K6Binary } from './binary/binary.ts';
import { usableCores } from './proc.ts';
import { runStream, type Stream } from './stream.ts';

export interface CellDeps {
  readonly k6: K6Binary;
  /** Bundle to run; `scenarioBundle(operation)` names the one the build makes. */
  readonly bundle: string;
  /** Environment the proxy settings are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** On abort k6 is stopped: SIGINT once, SIGKILL after a grace. The promise still resolves. */
  readonly signal?: AbortSignal;
  readonly onSecond?: (progress: CellProgress) => void;
  /** When to stop k6 to spare the target; never, where absent. */
  readonly abort?: AbortLimits;
  /** Told, as k6 starts, how to ask it for the number of the newest arrival that was answered with success. */
  readonly onStream?: (newestSuccess: () => number | undefined) => void;
  readonly onSpawn?: (pid: number) => void;
  /** Milliseconds beyond its plan after which k6 is stopped; two minutes, where absent. */
  readonly spareMs?: number;
}

/** Code of the fault of a cell whose runners elsewhere may still load the target: no endpoint may be touched. */
export const RUNNERS_LEFT = 'runners-left';
/** Code of the fault of a cell that would end in the same way if it was tried again. */
export const SAME_AGAIN = 'same-again';

/** What a run of k6 gives to the facts of a cell; plan and read-back are the caller's to add. */
export interface CellRun extends Pick<CellFacts, 'startedAt' | 'counts' | 'failures' | 'generator' | 'segments'> {
  readonly samples: Samples;
  /** Ends of the arrivals of a ramp-up: numbers of the successes; what was under way when it ended is in none. */
  readonly ramp?: { readonly succeeded: readonly number[]; readonly failed: number; readonly dropped: number };
  readonly stopped?: Stop;
  /** Stopped by the caller's signal. */
  readonly aborted: boolean;
}

type Generator = CellRun['generator'];

const UNMEASURED = { k6CpuMean: null, k6CpuMax: null, collectorCpuMean: 0, eventLoopDelayP99Ms: 0, clockStepMs: 0 };

function generatorFacts(
  { table, log, whole, ending, load }: Stream,
  { counts, early }: Collected,
  deps: CellDeps,
  bundleSha256: string,
): Generator {
  const { started, recorded } = counts;
  const agree = started === recorded && table.iterations === started && table.requests === started;
  const warnings = log.warnings();
  if (table.malformed > 0) warnings.push(`${table.malformed} rows of the stream could not be read`);
  if (!whole) warnings.push('the stream does not end with a whole line');
  if (!agree) {
    const rows = `${counted(table.iterations, 'end of an iteration', 'ends of iterations')}, ${counted(table.requests, 'transaction')}, ${recorded} with times`;
    warnings.push(`the stream has ${started} iterations, ${rows}`);
  }
  if (early > 0) warnings.push(`${early} iterations seem to have begun before their intended start`);
  if (load?.k6CpuMean === null) warnings.push('the processor time of k6 cannot be read on this system');
  const { exitCode, signal } = ending;
  return {
    ...{ k6Version: deps.k6.version, k6Sha256: deps.k6.sha256, bundleSha256, exitCode, signal },
    streamComplete: whole && agree && table.malformed === 0 && early === 0 && exitCode === 0,
    ...UNMEASURED,
    ...load,
    cores: usableCores(),
    warnings,
  };
}

export function noRun(k6: Pick<K6Binary, 'version' | 'sha256'>, startedAt: string): CellRun {
  return {
    startedAt,
    samples: emptySamples(0),
    counts: { scheduled: 0, started: 0, dropped: 0, recorded: 0, exceptions: 0 },
    failures: [],
    generator: {
      ...{ k6Version: k6.version, k6Sha256: k6.sha256, bundleSha256: '' },
      ...{ exitCode: null, signal: null, streamComplete: false, ...UNMEASURED },
      ...{ cores: usableCores(), warnings: [] },
    },
    aborted: false,
  };
}

const NS_PER_US = 1000;

function digestOf(bundle: string): string {
  try {
    return createHash('sha256').update(readFileSync(bundle)).digest('hex');
  } catch (cause) {
    throw new GeneratorError('no-bundle', `the scenario ${bundle} is missing`, { cause, hint: 'run: npm run build' });
  }
}

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

/** Runs a cell on one k6 process. Returns what was recorded even if k6 failed or was stopped: the judge decides. */
export async function runCell(spec: CellSpec, deps: CellDeps): Promise<CellRun> {
  const bundleSha256 = digestOf(deps.bundle);
  const startedAt = new Date().toISOString();
  const stream = await runStream(spec, deps);
  const { table, log, stopped, ending, duesUs, periodNs: between } = stream;
  const collected = toSamples(table, between, { transportExample: log.requestError(), duesUs });
  const { samples, counts, failures } = sharePart(table, collected, WHOLE, between / NS_PER_US, log.exceptions());
  return {
    ...{ startedAt, samples, counts, failures },
    // What a rule stopped is no abort of the run.
    aborted: stopped === undefined && deps.signal?.aborted === true && ending.aborted,
    ...(spec.ramp === undefined ? {} : { ramp: rampOf([table]) }),
    ...(stopped && { stopped }),
    generator: generatorFacts(stream, collected, deps, bundleSha256),
  };
}
