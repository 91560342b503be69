import { gunzipSync } from 'node:zlib';
import { ResultsError } from '../../lib/errors.ts';
import { counted } from '../../lib/numbers.ts';
import { mergeParts } from '../../lib/records/merge/cells.ts';
import { shareOf } from '../../lib/records/merge/share.ts';
import { periodNs, RAMP_TAG } from '../../lib/wire/scenario.ts';
import { rampOf, sharePart } from '../k6/cell.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import { createParser } from '../stream/parser.ts';
import { toSamples } from '../stream/samples.ts';
import { createTable } from '../stream/table.ts';
import { podOf, type RunnerFile } from './run-files.ts';

/** Rows of one runner that are read at most: a day at 250 a second. */
const MOST_BYTES = 2 ** 31 - 1;
const NUMBER = /[,&]seq=(\d+)/;
const RAMP_UP = `phase=${RAMP_TAG.phase}`;
const PIECE_BYTES = 1 << 20;

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

/** Adds up the rows of the runners of a cell. Throws `ResultsError` where a segment is missing, doubled, cut or foreign. */
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
