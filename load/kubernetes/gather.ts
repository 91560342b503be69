import * as z from 'zod';
import { defined } from '../../lib/defined.ts';
import { ResultsError } from '../../lib/errors.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import { mergeParts } from '../../lib/records/merge/cells.ts';
import { shareOf } from '../../lib/records/merge/share.ts';
import { periodNs, RAMP_TAG } from '../../lib/wire/scenario.ts';
import { rampOf, sharePart } from '../k6/cell.ts';
import { createParser } from '../stream/parser.ts';
import { toSamples } from '../stream/samples.ts';
import { createTable } from '../stream/table.ts';
import type { CollectedEvidence } from './evidence.ts';
import { cut, podOf, type RunnerFile, rowsOf } from './runner-file.ts';
import { BUCKET_LABEL, cellOf, OPERATION_LABEL, PROFILE_LABEL, WARMUP_LABEL } from './test-run.ts';
import type { TestRun } from './test-run-schema.ts';

const NUMBER = /[,&]seq=(\d+)/;
const RAMP_UP = `phase=${RAMP_TAG.phase}`;
const PIECE_BYTES = 1 << 20;

/** Number of the first measured iteration, which tells the segment. */
function firstNumber(bytes: Uint8Array): number | undefined {
  const decoder = new TextDecoder('latin1');
  let rest = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const lines = (rest + decoder.decode(bytes.subarray(at, at + PIECE_BYTES))).split('\n');
    rest = lines.pop() ?? '';
    const line = lines.find((text) => NUMBER.test(text) && !text.includes(RAMP_UP));
    if (line !== undefined) return Number(NUMBER.exec(line)?.[1]);
  }
  return undefined;
}

function readPart(file: RunnerFile, of: number, ratePerSecond: number) {
  const { name } = file;
  const bytes = rowsOf(file);
  const first = firstNumber(bytes);
  if (first === undefined) return cut(name, 'there is no measured iteration in it');
  const share = shareOf(first, of);
  const between = of * periodNs(ratePerSecond);
  const table = createTable(1024);
  const parser = createParser(table, between, share);
  parser.push(bytes);
  if (!parser.end()) return cut(name, 'does not end with a whole line');
  if (table.malformed > 0)
    return cut(name, `${table.malformed} rows are not of segment ${share.index + 1}, or not of k6`);
  const collected = toSamples(table, between);
  const { started, recorded } = collected.counts;
  if (started !== recorded || table.iterations !== started) {
    return cut(name, `${started} iterations, ${recorded} transactions, ${table.iterations} ends`);
  }
  return { ...sharePart(table, collected, share, periodNs(ratePerSecond) / 1000), pod: podOf(name), table };
}
type Part = ReturnType<typeof readPart>;

/** The plan of the cell as its manifest has it. Throws `ResultsError` where a number is not there. */
function planOf(manifest: TestRun): CellFacts['plan'] {
  const { name, labels = {} } = manifest.metadata;
  try {
    const { ratePerSecond: targetPerSecond, pool, csrf: _, ...rest } = cellOf(manifest);
    const [warmupSeconds, bucketSeconds] = [WARMUP_LABEL, BUCKET_LABEL].map((label) =>
      z.coerce.number().parse(labels[label]),
    );
    const sizes = { poolSize: pool.size, sessions: pool.size, reuseSeconds: pool.size / targetPerSecond };
    return { targetPerSecond, ...rest, ...sizes, warmupSeconds: warmupSeconds ?? 0, bucketSeconds: bucketSeconds ?? 0 };
  } catch {
    return cut(name, 'the manifest lacks a number of the plan');
  }
}

/** Evidence of other files than the rows: of exactly the pods that wrote them. Throws `ResultsError` for any other. */
function checkPods<T>(what: string, given: readonly T[], nameOfPod: (one: T) => string, parts: readonly Part[]): void {
  const pods = parts.map(({ pod }) => pod).sort();
  const names = given.map(nameOfPod).sort();
  if (pods.length === names.length && pods.every((pod, at) => pod === names[at])) return;
  const message = `the ${what} are of ${names.join(', ') || 'no pod'}, the rows of ${pods.join(', ')}`;
  throw new ResultsError('evidence-foreign', message, { hint: 'name files of one run of one cell' });
}

/** Largest step of the wall clock in any runner, milliseconds; undefined where one of them marked none. */
function clockStepOf(parts: readonly Part[]): number | undefined {
  const steps = parts.map(({ table: { clockUs } }) => (clockUs.most - clockUs.least) / 1000);
  return steps.some(Number.isNaN) ? undefined : Math.max(...steps);
}

/** What may be known besides the rows. */
export type GivenEvidence = Partial<Omit<CollectedEvidence, 'clockStepMs'>>;

/**
 * Adds up the rows of the runners of one TestRun, on the schedule of the whole. Throws `ResultsError` where a segment is missing, doubled,
 * cut or foreign, where arrivals are missing, or where the evidence is of other pods.
 */
export function gatherRunners(files: readonly RunnerFile[], manifest: TestRun, evidence: GivenEvidence = {}) {
  const { labels = {}, name } = manifest.metadata;
  const plan = planOf(manifest);
  const { targetPerSecond: rate, durationSeconds: seconds } = plan;
  const parts = files.map((file) => readPart(file, manifest.spec.parallelism, rate));
  const { segments, ...merged } = mergeParts(parts, periodNs(rate) / 1000);
  const { pods, probes } = evidence;
  if (pods !== undefined) checkPods('pods', pods, ({ name }) => name, parts);
  if (probes !== undefined) checkPods('probes', probes, ({ pod }) => pod, parts);
  const inTime = merged.samples.dueUs.filter((dueUs) => dueUs < seconds * 1e6).length;
  if (Math.abs(inTime - rate * seconds) > 1) cut(name, `${inTime} of ${rate * seconds} arrivals are there`);
  return {
    ...{ profile: labels[PROFILE_LABEL] ?? name, operation: labels[OPERATION_LABEL] ?? '', plan },
    ...merged,
    startSpreadMs: segments.startSpreadMs,
    /** Wall clock of the start of the schedule, microseconds: that of the first runner. */
    startUs: Math.min(...parts.map(({ startUs }) => startUs)),
    /** Endings of the ramp-up. */
    ramp: rampOf(parts.map(({ table }) => table)),
    ...(parts.length > 1 ? { segments } : {}),
    /** What was given, and the clock as the rows show it. */
    evidence: { ...evidence, ...defined({ clockStepMs: clockStepOf(parts) }) } satisfies Partial<CollectedEvidence>,
  };
}
