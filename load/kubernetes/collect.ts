import { ResultsError } from '../../lib/errors.ts';
import { mergeCounts, startSpreadMs } from '../../lib/records/merge-cells.ts';
import type { Samples } from '../../lib/records/samples.ts';
import { OUTCOME } from '../../lib/records/samples.ts';
import { mergeShares, placeShare, type SharePart } from '../../lib/records/segments.ts';
import { type LatencySummary, summarizeLatency } from '../../lib/stats/latency.ts';
import { periodNs, SCENARIO_ENV } from '../../lib/wire/scenario.ts';
import { createParser } from '../stream-parser.ts';
import { toSamples } from '../stream-samples.ts';
import { createTable } from '../stream-table.ts';
import { WARMUP_LABEL } from './test-run.ts';
import type { TestRun } from './test-run-schema.ts';

/** What one runner wrote. */
export interface RunnerFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Figures of a cell from the files of its runners. There is no verdict: nothing here shows the generators or the endpoints in order. */
export interface Collected {
  readonly segments: number;
  readonly startSpreadMs: number;
  readonly counts: ReturnType<typeof mergeCounts>;
  readonly failures: ReturnType<typeof mergeShares>['failures'];
  readonly serviceTime: LatencySummary;
  readonly responseTime: LatencySummary;
}

const FIRST_NUMBER = /[,&]seq=(\d+)/;

function cut(name: string, message: string): never {
  throw new ResultsError('segment-cut', `${name}: ${message}`, { hint: 'copy the file again, or run the cell again' });
}

interface Part extends SharePart {
  readonly startUs: number;
  readonly counts: Parameters<typeof mergeCounts>[0][number];
}

function readPart({ name, bytes }: RunnerFile, of: number, ratePerSecond: number): Part {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 65_536));
  const first = FIRST_NUMBER.exec(head)?.[1];
  if (first === undefined) return cut(name, 'no iteration in its first rows');
  const share = { index: Number(first) % of, of };
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

/**
 * Adds up what the runners of one TestRun wrote. Throws `ResultsError` where a segment is missing, doubled, cut or foreign, or where
 * the arrivals are not all there.
 */
export function collectRunners(files: readonly RunnerFile[], manifest: TestRun): Collected {
  const env = new Map(
    (manifest.spec.runner?.env ?? []).flatMap((one) => ('value' in one ? [[one.name, one.value]] : [])),
  );
  const number = (name: string | undefined) => Number(name ?? Number.NaN);
  const rate = number(env.get(SCENARIO_ENV.ratePerSecond));
  const seconds = number(env.get(SCENARIO_ENV.durationSeconds));
  const parts = files.map((file) => readPart(file, manifest.spec.parallelism, rate));
  const { samples, failures } = mergeShares(parts, periodNs(rate) / 1000);
  const inTime = windowOf(samples, 0, seconds).length;
  if (Math.abs(inTime - rate * seconds) > 1)
    cut(manifest.metadata.name, `${inTime} of ${rate * seconds} arrivals are there`);
  const window = windowOf(samples, number(manifest.metadata.labels?.[WARMUP_LABEL]), seconds);
  const served = window.filter((row) => samples.outcome[row] === OUTCOME.success);
  const of = (column: Uint32Array) => served.map((row) => column[row] ?? 0);
  return {
    segments: parts.length,
    startSpreadMs: startSpreadMs(parts.map(({ startUs }) => startUs)),
    counts: mergeCounts(parts.map(({ counts }) => counts)),
    failures,
    serviceTime: summarizeLatency(of(samples.serviceUs), 0),
    responseTime: summarizeLatency(of(samples.responseUs), window.length - served.length),
  };
}
