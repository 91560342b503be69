import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { GeneratorError } from '../lib/errors.ts';
import { periodNs } from '../lib/wire/scenario.ts';
import { type AbortLimits, abortWatch, type Stop } from './abort-rules.ts';
import type { CellDeps, CellProgress, CellRun, CellSpec } from './k6-cell-types.ts';
import { checkSpec, k6Arguments, k6Environment } from './k6-command.ts';
import { createLog, type K6Log } from './k6-log.ts';
import { type GeneratorLoad, watchGenerator } from './k6-monitor.ts';
import { type Ending, runProcess } from './k6-process.ts';
import { createParser } from './stream-parser.ts';
import { createProgress } from './stream-progress.ts';
import { type Collected, toSamples } from './stream-samples.ts';
import { createTable, type StreamTable } from './stream-table.ts';

const NEVER: AbortLimits = {
  forbidden: Number.POSITIVE_INFINITY,
  serverErrorShare: 1,
  refusedShare: 1,
};
const GRACE_MS = 10_000;
const US_PER_MS = 1000;

function digestOf(bundle: string): string {
  try {
    return createHash('sha256').update(readFileSync(bundle)).digest('hex');
  } catch (cause) {
    throw new GeneratorError('no-bundle', `the scenario ${bundle} is missing`, { cause, hint: 'run: npm run build' });
  }
}

interface Stream {
  readonly table: StreamTable;
  readonly log: K6Log;
  readonly whole: boolean;
  readonly ending: Ending;
  readonly load: GeneratorLoad | undefined;
  readonly stopped: Stop | undefined;
}

async function stream(spec: CellSpec, deps: CellDeps): Promise<Stream> {
  const table = createTable(spec.ratePerSecond * (spec.durationSeconds + 1));
  const parser = createParser(table, periodNs(spec.ratePerSecond));
  const log = createLog();
  let watch: ReturnType<typeof watchGenerator> | undefined;
  const rules = abortWatch(deps.abort ?? NEVER);
  const brake = new AbortController();
  let stopped: Stop | undefined;
  const heed = (stop: Stop | undefined) => {
    if (stop === undefined || deps.abort === undefined || stopped !== undefined) return;
    stopped = stop;
    brake.abort();
  };
  const report = (progress: CellProgress) => {
    deps.onSecond?.(progress);
    heed(rules.second(performance.now(), { ...table.endings }, progress.p99Ms));
  };
  const progress = createProgress(table, report);
  try {
    const ending = await runProcess({
      path: deps.k6.path,
      args: k6Arguments(spec, deps.bundle),
      env: k6Environment(spec, deps.env),
      signal: AbortSignal.any([brake.signal, ...(deps.signal ? [deps.signal] : [])]),
      graceMs: deps.graceMs ?? GRACE_MS,
      onSpawn(pid) {
        watch = watchGenerator(pid);
        deps.onSpawn?.(pid);
      },
      onOutput(chunk) {
        parser.push(chunk);
        heed(rules.counts(table.endings));
      },
      onLog: log.push,
    });
    log.end();
    return { table, log, whole: parser.end(), ending, load: watch?.stop(table.originUs / US_PER_MS), stopped };
  } finally {
    progress.stop();
    watch?.stop(0);
  }
}

function generatorFacts(
  { table, log, whole, ending, load }: Stream,
  { counts, early }: Collected,
  deps: CellDeps,
  bundleSha256: string,
): CellRun['generator'] {
  const { started, recorded } = counts;
  const agree = started === recorded && table.iterations === started && table.requests === started;
  const warnings = log.warnings();
  if (table.malformed > 0) warnings.push(`${table.malformed} rows of the stream could not be read`);
  if (!whole) warnings.push('the stream does not end with a whole line');
  if (!agree) {
    const rows = `${table.iterations} ends of iterations, ${table.requests} transactions, ${recorded} with times`;
    warnings.push(`the stream has ${started} iterations, ${rows}`);
  }
  if (early > 0) warnings.push(`${early} iterations seem to have begun before their intended start`);
  if (load !== undefined && !load.measured) warnings.push('the processor time of k6 cannot be read on this system');
  return {
    k6Version: deps.k6.version,
    k6Sha256: deps.k6.sha256,
    bundleSha256,
    exitCode: ending.exitCode,
    signal: ending.signal,
    streamComplete: whole && agree && table.malformed === 0 && early === 0 && ending.exitCode === 0,
    k6CpuMean: load?.k6CpuMean ?? 0,
    k6CpuMax: load?.k6CpuMax ?? 0,
    collectorCpuMean: load?.collectorCpuMean ?? 0,
    eventLoopDelayP99Ms: load?.eventLoopDelayP99Ms ?? 0,
    cores: availableParallelism(),
    clockStepMs: load?.clockStepMs ?? 0,
    warnings,
  };
}

/**
 * Runs one cell on one k6 process and returns what it recorded, also where k6 failed, was killed or was stopped: the
 * judge decides what that is worth. Rejects with `UsageError` for a cell k6 cannot run as it is meant, and with
 * `GeneratorError` where k6 or the bundle cannot be started.
 */
export async function runCell(spec: CellSpec, deps: CellDeps): Promise<CellRun> {
  checkSpec(spec);
  const bundleSha256 = digestOf(deps.bundle);
  const startedAt = new Date().toISOString();
  const recorded = await stream(spec, deps);
  const collected = toSamples(recorded.table, periodNs(spec.ratePerSecond), recorded.log.requestError());
  const { withoutTransaction, ...counts } = collected.counts;
  return {
    startedAt,
    samples: collected.samples,
    // An exception ends an iteration; one that came before the request leaves an iteration without a transaction.
    counts: { ...counts, exceptions: Math.max(recorded.log.exceptions(), withoutTransaction, 0) },
    failures: collected.failures,
    generator: generatorFacts(recorded, collected, deps, bundleSha256),
    aborted: recorded.ending.aborted && recorded.stopped === undefined,
    ...(recorded.stopped === undefined ? {} : { stopped: recorded.stopped }),
  };
}
