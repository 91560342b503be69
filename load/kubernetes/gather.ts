import { ResultsError } from '../../lib/errors.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import type { Samples } from '../../lib/records/load/samples.ts';
import { mergeCounts, startSpreadMs } from '../../lib/records/merge/cells.ts';
import { mergeShares, placeShare, type SharePart } from '../../lib/records/merge/segments.ts';
import { scheduleStartUs, shareOf, sharePeriod } from '../../lib/records/merge/share.ts';
import { periodNs, RAMP_TAG, SCENARIO_ENV } from '../../lib/wire/scenario.ts';
import { createParser } from '../stream/parser.ts';
import { toSamples } from '../stream/samples.ts';
import { createTable } from '../stream/table.ts';
import type { CollectedEvidence } from './evidence.ts';
import { cut, podOf, type RunnerFile, rowsOf } from './runner-file.ts';
import { BUCKET_LABEL, OPERATION_LABEL, PROFILE_LABEL, WARMUP_LABEL } from './test-run.ts';
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

interface Part extends SharePart {
  readonly pod: string;
  readonly startUs: number;
  /** Least and greatest offset of the wall clock, microseconds; NaN where none was marked. */
  readonly clockUs: { readonly least: number; readonly most: number };
  readonly counts: Parameters<typeof mergeCounts>[0][number];
  readonly ramp: { readonly succeeded: readonly number[]; readonly failed: number; readonly dropped: number };
}

function readPart(file: RunnerFile, of: number, ratePerSecond: number): Part {
  const { name } = file;
  const bytes = rowsOf(file);
  const first = firstNumber(bytes);
  if (first === undefined) return cut(name, 'there is no measured iteration in it');
  const share = shareOf(first, of);
  const between = sharePeriod(share, periodNs(ratePerSecond));
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
    ramp: table.ramp,
    samples: placeShare(samples, share, periodUs),
    failures,
    counts: { ...rest, exceptions: Math.max(0, withoutTransaction) },
    startUs: scheduleStartUs(share, table.originUs, periodUs),
  };
}

/** Rows of the measured window: due after the warm-up and before the end. */
export function windowOf({ dueUs }: Samples, fromSeconds: number, toSeconds: number): number[] {
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
function checkPods<T>(what: string, given: readonly T[], nameOfPod: (one: T) => string, parts: readonly Part[]): void {
  const pods = parts.map(({ pod }) => pod).sort();
  const names = given.map(nameOfPod).sort();
  if (pods.length === names.length && pods.every((pod, at) => pod === names[at])) return;
  const message = `the ${what} are of ${names.join(', ') || 'no pod'}, the rows of ${pods.join(', ')}`;
  throw new ResultsError('evidence-foreign', message, { hint: 'name files of one run of one cell' });
}

/** Largest step of the wall clock in any runner, milliseconds; undefined where one of them marked none. */
function clockStepOf(parts: readonly Part[]): number | undefined {
  const steps = parts.map(({ clockUs }) => (clockUs.most - clockUs.least) / 1000);
  return steps.some(Number.isNaN) ? undefined : Math.max(...steps);
}

/** What may be known besides the rows. */
export type GivenEvidence = Omit<CollectedEvidence, 'clockStepMs'>;

/** Everything that the runners of a cell wrote, on the schedule of the whole. */
export interface Gathered
  extends Pick<CellFacts, 'profile' | 'operation' | 'plan' | 'counts' | 'failures' | 'segments'> {
  readonly samples: Samples;
  readonly startSpreadMs: number;
  /** Wall clock of the start of the schedule, microseconds: that of the first runner. */
  readonly startUs: number;
  /** Endings of the ramp-up. */
  readonly ramp: { readonly succeeded: readonly number[]; readonly failed: number; readonly dropped: number };
  /** What was given, and the clock as the rows show it. */
  readonly evidence: CollectedEvidence;
}

/**
 * Adds up the rows of the runners of one TestRun. Throws `ResultsError` where a segment is missing, doubled, cut or foreign, where
 * arrivals are missing, or where the evidence is of other pods.
 */
export function gatherRunners(files: readonly RunnerFile[], manifest: TestRun, evidence: GivenEvidence = {}): Gathered {
  const plan = planOf(manifest);
  const { targetPerSecond: rate, durationSeconds: seconds } = plan;
  const parts = files.map((file) => readPart(file, manifest.spec.parallelism, rate));
  const { samples, failures } = mergeShares(parts, periodNs(rate) / 1000);
  const { pods, probes } = evidence;
  if (pods !== undefined) checkPods('pods', pods, ({ name }) => name, parts);
  if (probes !== undefined) checkPods('probes', probes, ({ pod }) => pod, parts);
  const inTime = windowOf(samples, 0, seconds).length;
  if (Math.abs(inTime - rate * seconds) > 1)
    cut(manifest.metadata.name, `${inTime} of ${rate * seconds} arrivals are there`);
  const spreadMs = startSpreadMs(parts.map(({ startUs }) => startUs));
  const clockStepMs = clockStepOf(parts);
  const sum = (key: 'failed' | 'dropped') => parts.reduce((total, { ramp }) => total + ramp[key], 0);
  return {
    ...nameOf(manifest),
    plan,
    samples,
    counts: mergeCounts(parts.map(({ counts }) => counts)),
    failures,
    startSpreadMs: spreadMs,
    startUs: Math.min(...parts.map(({ startUs }) => startUs)),
    ramp: {
      succeeded: parts.flatMap(({ ramp }) => ramp.succeeded),
      failed: sum('failed'),
      dropped: sum('dropped'),
    },
    ...(parts.length > 1 ? { segments: { of: parts.length, startSpreadMs: spreadMs } } : {}),
    evidence: clockStepMs === undefined ? evidence : { ...evidence, clockStepMs },
  };
}
