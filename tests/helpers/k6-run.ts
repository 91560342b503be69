import { join } from 'node:path';
// @ts-expect-error plain JavaScript without types
import { buildScenarios } from '../../build.mjs';
import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { findK6 } from '../../load/k6/binary/binary.ts';
import { type CellDeps, type CellRun, runCell } from '../../load/k6/facts.ts';
import type { CellSpec } from '../../load/plan/cell-spec.ts';
import { aCell } from './a-cell.ts';
import { type Answer, ancServerOfTest } from './anc-server.ts';
import { folderOfTests } from './folder.ts';

async function makeBench() {
  const outdir = folderOfTests();
  await buildScenarios({ outdir });
  return { k6: await findK6(), outdir };
}

let bench: ReturnType<typeof makeBench> | undefined;

/** The k6 and the bundles that integration tests run, in a folder of their own; made once for a process. */
export function k6Bench() {
  bench ??= makeBench();
  return bench;
}

/** A pool of ten endpoints of which its file holds none: the script cannot begin. */
export const EMPTY_POOL: CellSpec['pool'] = {
  ...{ offset: 0, size: 10, seed: 1 },
  source: { kind: 'file', path: 'pool.txt', text: () => '', digest: '' },
};

/** A cell of three seconds at 250/s on 50 connections. */
export function aSpec(baseUrl: string, changes: Partial<CellSpec> = {}): CellSpec {
  const source = { kind: 'range', firstMac: '02:00:00:00:00:00', firstIp: '10.0.0.0' } as const;
  return {
    ...{ operation: 'apply-by-mac', baseUrl, credentials: { username: 'load', password: 'canary-secret' } },
    ...{ ratePerSecond: 250, durationSeconds: 3, connections: 50, timeoutMs: 2000, policyName: 'Quarantine' },
    ...{ pool: { offset: 0, size: 5000, seed: 1, source }, userAgent: 'ers-harness-test' },
    ...changes,
  };
}

export async function runCellOf(spec: CellSpec, deps: Partial<CellDeps> = {}): Promise<CellRun> {
  const { k6, outdir } = await k6Bench();
  return runCell(spec, { k6, bundle: join(outdir, `anc-${spec.operation}.js`), env: process.env, ...deps });
}

/** A cell on a target of the test that answers so: the target, what was asked of k6, what it recorded, and the judged cell. */
export async function cellAgainst(
  answer: Answer,
  changes: Partial<CellSpec> = {},
  deps: Partial<CellDeps> = {},
  name = '127.0.0.1',
) {
  const server = await ancServerOfTest(answer);
  const spec = aSpec(server.baseUrl.replace('127.0.0.1', name), { address: '127.0.0.1', ...changes });
  const run = await runCellOf(spec, deps);
  return { server, spec, run, report: judgeRun(run, spec) };
}

/** Judges a run as a cell whose read-back found all in order. */
export function judgeRun(run: CellRun, spec: CellSpec, warmupSeconds = 1): CellReport {
  const { samples, aborted: _, ramp: rampUpSucceeded, ...rest } = run;
  const { succeeded = [], failed = 0, dropped = 0 } = rampUpSucceeded ?? {};
  const ramp = spec.ramp ? { ramp: { ...spec.ramp, succeeded: succeeded.length, failed, dropped } } : {};
  const collected = { ...rest, ...ramp };
  const { ratePerSecond, durationSeconds, connections, timeoutMs } = spec;
  const plan = { targetPerSecond: ratePerSecond, durationSeconds, warmupSeconds, connections, timeoutMs };
  return judgeCell(aCell(undefined, { plan, ...collected }).facts, samples);
}

/** Rules about the record and about lost arrivals: those a busy machine cannot break. */
const RECORD = [
  ...['ran', 'k6-ended', 'stream-whole', 'counts-agree', 'record-consistent'],
  ...['schedule-whole', 'no-exceptions'],
];

/** Of those, the ones that do not hold. */
export const brokenRecord = ({ rules }: CellReport) =>
  rules.filter(({ id, holds }) => RECORD.includes(id) && holds === false);
