import { ResultsError } from '../../lib/errors.ts';
import type { CellFacts } from '../../lib/records/load.ts';
import { mergeCounts, startSpreadMs } from '../../lib/records/merge/cells.ts';
import { mergeShares, placeShare, type SharePart } from '../../lib/records/merge/segments.ts';
import type { Samples } from '../../lib/records/samples.ts';
import { OUTCOME } from '../../lib/records/samples.ts';
import { type LatencySummary, summarizeLatency } from '../../lib/stats/latency.ts';
import { periodNs, RAMP_TAG, SCENARIO_ENV } from '../../lib/wire/scenario.ts';
import { createParser } from '../stream/parser.ts';
import { toSamples } from '../stream/samples.ts';
import { createTable } from '../stream/table.ts';
import { type CollectedEvidence, type CollectedVerdict, judgeCollected } from './judge-collected.ts';
import { cut, podOf, type RunnerFile, rowsOf } from './runner-file.ts';
import { BUCKET_LABEL, OPERATION_LABEL, PROFILE_LABEL, WARMUP_LABEL } from './test-run.ts';
import type { TestRun } from './test-run-schema.ts';

/** Figures of a cell from the files of its runners, and the verdict as far as the evidence goes. */
export interface Collected extends CollectedVerdict {
  readonly profile: string;
  readonly operation: string;
  readonly segments: number;
  readonly startSpreadMs: number;
  readonly counts: ReturnType<typeof mergeCounts>;
  readonly failures: ReturnType<typeof mergeShares>['failures'];
  readonly serviceTime: LatencySummary;
  readonly responseTime: LatencySummary;
}

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

interface Part extends SharePart {
  readonly pod: string;
  readonly startUs: number;
  /** Least and greatest offset of the wall clock, microseconds; NaN where none was marked. */
  readonly clockUs: { readonly least: number; readonly most: number };
  readonly counts: Parameters<typeof mergeCounts>[0][number];
}

function readPart(file: RunnerFile, of: number, ratePerSecond: number): Part {
  const { name } = file;
  const bytes = rowsOf(file);
  const first = firstNumber(bytes);
  if (first === undefined) return cut(name, 'there is no measured iteration in it');
  const share = { index: first % of, of };
  const between = periodNs(ratePerSecond) * of;
  const table = createTable(1024);
  const parser = createParser(table, between, share);
  parser.push(bytes);
  if (!parser.end()) return cut(name, 'does not end with a whole line');
  if (table.malformed > 0)
    return cut(name, `${table.malformed} rows are not of segment ${share.index + 1}, or not of k6`);
  const { samples, failures, counts } = toSamples(table, between);
  const { withoutTransaction, ...rest } = counts;
  if (rest.started !== rest.recorded || table.iterations !== rest.started) {
    return cut(name, `${rest.started} iterations, ${rest.recorded} transactions, ${table.iterations} ends`);
  }
  const periodUs = periodNs(ratePerSecond) / 1000;
  return {
    ...share,
    pod: podOf(name),
    clockUs: table.clockUs,
    samples: placeShare(samples, share, periodUs),
    failures,
    counts: { ...rest, exceptions: Math.max(0, withoutTransaction) },
    startUs: table.originUs - share.index * periodUs,
  };
}

/** Rows of the measured window: due after the warm-up and before the end. */
function windowOf({ dueUs }: Samples, fromSeconds: number, toSeconds: number): number[] {
  return [...dueUs.keys()].filter((row) => {
    const seconds = (dueUs[row] ?? 0) / 1e6;
    return seconds >= fromSeconds && seconds < toSeconds;
  });
}

/** Profile and operation of the cell. */
function nameOf({ metadata: { labels = {}, name } }: TestRun): {
  readonly profile: string;
  readonly operation: string;
} {
  return { profile: labels[PROFILE_LABEL] ?? name, operation: labels[OPERATION_LABEL] ?? '' };
}

/** The plan of the cell as its manifest has it. Throws `ResultsError` where a number is not there. */
function planOf({ metadata, spec }: TestRun): CellFacts['plan'] {
  const env = new Map((spec.runner?.env ?? []).flatMap((one) => ('value' in one ? [[one.name, one.value]] : [])));
  const number = (text: string | undefined): number => {
    const value = Number(text);
    return text === undefined || Number.isNaN(value)
      ? cut(metadata.name, 'the manifest lacks a number of the plan')
      : value;
  };
  const given = (name: keyof typeof SCENARIO_ENV) => number(env.get(SCENARIO_ENV[name]));
  const label = (name: string) => number(metadata.labels?.[name]);
  const [targetPerSecond, poolSize] = [given('ratePerSecond'), given('poolSize')];
  return {
    ...{ targetPerSecond, poolSize, durationSeconds: given('durationSeconds'), timeoutMs: given('timeoutMs') },
    ...{ warmupSeconds: label(WARMUP_LABEL), bucketSeconds: label(BUCKET_LABEL), connections: given('connections') },
    sessions: poolSize,
    reuseSeconds: poolSize / targetPerSecond,
  };
}

/** Evidence of other files than the rows: of exactly the pods that wrote them. Throws `ResultsError` for any other. */
function checkPods(what: string, names: readonly string[], parts: readonly Part[]): void {
  const pods = parts.map(({ pod }) => pod).sort();
  const given = [...names].sort();
  if (pods.length === given.length && pods.every((pod, at) => pod === given[at])) return;
  throw new ResultsError(
    'evidence-foreign',
    `the ${what} are of ${given.join(', ') || 'no pod'}, the rows of ${pods.join(', ')}`,
    {
      hint: 'name what the same run of the same cell left',
    },
  );
}

/** Largest step of the wall clock in any runner, milliseconds; undefined where one of them marked none. */
function clockStepOf(parts: readonly Part[]): number | undefined {
  const steps = parts.map(({ clockUs }) => (clockUs.most - clockUs.least) / 1000);
  return steps.some(Number.isNaN) ? undefined : Math.max(...steps);
}

/** What may be known besides the rows. */
export type GivenEvidence = Omit<CollectedEvidence, 'clockStepMs'>;

/**
 * Adds up what the runners of one TestRun wrote. Throws `ResultsError` where a segment is missing, doubled, cut or foreign, where
 * the arrivals are not all there, or where the evidence is of other pods.
 */
export function collectRunners(
  files: readonly RunnerFile[],
  manifest: TestRun,
  evidence: GivenEvidence = {},
): Collected {
  const plan = planOf(manifest);
  const { targetPerSecond: rate, durationSeconds: seconds } = plan;
  const parts = files.map((file) => readPart(file, manifest.spec.parallelism, rate));
  const { samples, failures } = mergeShares(parts, periodNs(rate) / 1000);
  if (evidence.pods !== undefined)
    checkPods(
      'pods',
      evidence.pods.map(({ name }) => name),
      parts,
    );
  if (evidence.probes !== undefined)
    checkPods(
      'probes',
      evidence.probes.map(({ pod }) => pod),
      parts,
    );
  const inTime = windowOf(samples, 0, seconds).length;
  if (Math.abs(inTime - rate * seconds) > 1)
    cut(manifest.metadata.name, `${inTime} of ${rate * seconds} arrivals are there`);
  const window = windowOf(samples, plan.warmupSeconds, seconds);
  const isServed = (row: number) => samples.outcome[row] === OUTCOME.success;
  const served = window.filter(isServed);
  const atUs = (rows: readonly number[]) => Float64Array.from(rows, (row) => samples.dueUs[row] ?? 0);
  const responseUs = window.map((row) => (isServed(row) ? (samples.responseUs[row] ?? 0) : Number.POSITIVE_INFINITY));
  const spreadMs = startSpreadMs(parts.map(({ startUs }) => startUs));
  const counts = mergeCounts(parts.map(({ counts }) => counts));
  const segments = parts.length > 1 ? { segments: { of: parts.length, startSpreadMs: spreadMs } } : {};
  const cell = nameOf(manifest);
  const clockStepMs = clockStepOf(parts);
  const known = clockStepMs === undefined ? evidence : { ...evidence, clockStepMs };
  return {
    ...cell,
    ...judgeCollected({ ...cell, plan, counts, failures, ...segments }, samples, known),
    segments: parts.length,
    startSpreadMs: spreadMs,
    counts,
    failures,
    serviceTime: summarizeLatency({
      valuesUs: served.map((row) => samples.serviceUs[row] ?? 0),
      atUs: atUs(served),
    }),
    responseTime: summarizeLatency({ valuesUs: responseUs, atUs: atUs(window) }),
  };
}
