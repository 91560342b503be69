import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { defined } from '../../lib/defined.ts';
import { GeneratorError, ResultsError, UsageError } from '../../lib/errors.ts';
import { mergeParts } from '../../lib/records/merge/segments.ts';
import { counted } from '../../lib/text.ts';
import { periodNs } from '../../lib/wire/scenario.ts';
import { type CellRun, noRun, RUNNERS_LEFT, rampOf, SAME_AGAIN, sharePart } from '../k6/facts.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { createParser } from '../stream/parser.ts';
import { toSamples } from '../stream/samples.ts';
import { createTable } from '../stream/table.ts';
import { checkEvidence, generatorOf, podOf, type RunnerFile, readRun } from './evidence.ts';
import { cellName, type EmittedFile } from './manifests.ts';

/** Rows of one runner that are read at most: a day at 250 a second. */
const MOST_BYTES = 2 ** 31 - 1;

/** Throws `ResultsError` for a file that is not whole. */
function cut(name: string, message: string): never {
  throw new ResultsError('segment-cut', `${name}: ${message}`, { hint: 'copy the file again, or run the cell again' });
}

/** The rows as text bytes. Throws `ResultsError` for a compressed file that is cut, damaged or too large. */
function rowsOf({ name, bytes }: RunnerFile): Uint8Array {
  if (!name.endsWith('.gz')) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch {
    const killed = bytes.length < 32 ? ': a runner that was killed leaves no more' : '';
    return cut(name, `it does not unpack (${counted(bytes.length, 'byte')}${killed})`);
  }
}

function readPart(file: RunnerFile, of: number, ratePerSecond: number) {
  const { name } = file;
  const between = of * periodNs(ratePerSecond);
  const table = createTable(1024);
  const parser = createParser(table, between, { of });
  parser.push(rowsOf(file));
  const isWhole = parser.end();
  const share = parser.share();
  if (share === undefined) return cut(name, 'there is no measured iteration in it');
  if (!isWhole) return cut(name, 'does not end with a whole line');
  if (table.malformed > 0)
    return cut(name, `${table.malformed} rows are not of segment ${share.index + 1}, or not of k6`);
  const collected = toSamples(table, between);
  const { started, recorded } = collected.counts;
  if (started !== recorded || table.iterations !== started) {
    return cut(name, `${started} iterations, ${recorded} transactions, ${table.iterations} ends`);
  }
  return { ...sharePart(table, collected, share, periodNs(ratePerSecond) / 1000), pod: podOf(name), table };
}

/** Adds up the rows of the runners of a cell. Throws `ResultsError` if a segment is missing, doubled, cut or foreign. */
export function gatherRunners(
  cell: string,
  { ratePerSecond: rate, durationSeconds: seconds, segments: of = 1 }: CellSpec,
  files: readonly RunnerFile[],
) {
  const parts = files.map((file) => readPart(file, of, rate));
  const { segments, ...merged } = mergeParts(parts, periodNs(rate) / 1000);
  const inTime = merged.samples.dueUs.filter((dueUs) => dueUs < seconds * 1e6).length;
  if (Math.abs(inTime - rate * seconds) > 1) cut(cell, `${inTime} of ${rate * seconds} arrivals are there`);
  const steps = parts.map(({ table: { clockUs } }) => (clockUs.most - clockUs.least) / 1000);
  return {
    ...merged,
    /** Wall clock of the start of the schedule, microseconds: that of the first runner. */
    startUs: Math.min(...parts.map(({ startUs }) => startUs)),
    ramp: rampOf(parts.map(({ table }) => table)),
    ...(parts.length > 1 ? { segments } : {}),
    podNames: parts.map(({ pod }) => pod),
    /** Largest step of the wall clock in any runner, milliseconds; NaN where one of them marked none. */
    clockStepMs: Math.max(...steps),
  };
}

export interface ClusterDeps {
  readonly folder: string;
  readonly runId: string;
  /** The manifests fetch CSRF tokens. */
  readonly csrf: boolean;
  readonly k6Version: string;
  /** Environment of `run.sh`: `KUBECTL`, `KUBECONFIG` and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
}

/** Exit codes of `run.sh` with which nothing of the cell is left; `UNCHANGED`: it cannot be run until something is changed. */
const UNCHANGED = 4;
const REMOVED: readonly number[] = [0, 2, 3, UNCHANGED, 130, 143];

/** Runs one cell with `run.sh`, which deletes the cell if the signal stops it. `last`: what it said last, the reason if it failed. */
async function runScript(cell: string, run: string, deps: ClusterDeps, signal: AbortSignal | undefined) {
  const child = spawn('sh', [join(deps.folder, 'run.sh'), cell], {
    env: { ...deps.env, ERS_RUN: run },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A signal of the terminal would reach it too; it is stopped once, by us.
    detached: true,
  });
  // Its group: the shell takes the signal only when what it waits for has ended.
  const stop = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    } catch {
      // It ended by itself in the meantime.
    }
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  let last = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    last = line;
    deps.say(line);
  });
  const [code]: (number | null)[] = await once(child, 'close');
  signal?.removeEventListener('abort', stop);
  return { code: code ?? null, last };
}

/** Throws `UsageError` unless the folder holds exactly what would be emitted now: its runners would load something else. */
export function checkEmitted(folder: string, files: readonly EmittedFile[]): void {
  const differs = files.find(({ name, content }) => {
    const path = join(folder, name);
    return !existsSync(path) || readFileSync(path, 'utf8') !== content;
  });
  if (differs === undefined) return;
  throw new UsageError('cluster-differs', `${join(folder, differs.name)} is not what these options emit`, {
    hint: 'name a new folder, or emit again with --emit-kubernetes and the options of this load',
  });
}

/** Runs a cell on a cluster with `run.sh`, and gathers what the runners wrote. `RUNNERS_LEFT`: some may still load the target. */
export function clusterCells(deps: ClusterDeps) {
  let tries = 0;
  return async (cell: PlannedCell, spec: CellSpec, signal: AbortSignal | undefined): Promise<CellRun> => {
    const name = cellName(cell);
    if (spec.csrf === true && !deps.csrf)
      throw new UsageError('cluster-csrf', 'the target requires CSRF tokens, but the manifests do not fetch any', {
        hint: 'add --csrf, and use a new folder',
      });
    tries += 1;
    const run = `${deps.runId}-${tries}`.toLowerCase();
    const startedAt = new Date().toISOString();
    const { code, last } = await runScript(name, run, deps, signal);
    if (code === null || !REMOVED.includes(code)) {
      throw new GeneratorError(RUNNERS_LEFT, last === '' ? `run.sh ended with exit code ${code}` : last, {
        hint: `no endpoint is cleared while a runner may load it: wait until kubectl get pods -l k6_cr=${name} shows none, then clear them with ers-harness sweep`,
      });
    }
    if (signal?.aborted === true) return { ...noRun({ version: '', sha256: '' }, startedAt), aborted: true };
    if (code !== 0) {
      const log = join(deps.folder, run, `${name}.log`);
      throw new GeneratorError(
        code === UNCHANGED ? SAME_AGAIN : 'runners-failed',
        last === '' ? `run.sh ended with exit code ${code}` : last,
        existsSync(log) ? { hint: `what its pods said stands in ${log}` } : {},
      );
    }
    const { rows, pods, probes } = readRun(name, join(deps.folder, run));
    const { startUs, podNames, clockStepMs, ramp, ...gathered } = gatherRunners(name, spec, rows);
    const evidence = { pods, probes, clockStepMs };
    checkEvidence(name, evidence, podNames);
    return {
      startedAt: new Date(startUs / 1000).toISOString(),
      ...gathered,
      aborted: false,
      generator: { ...generatorOf(evidence), k6Version: deps.k6Version },
      ...defined({ ramp: spec.ramp && ramp }),
    };
  };
}
