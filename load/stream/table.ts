import { ANSWER_CODES } from '../../lib/wire/scenario.ts';
import { type Messages, noMessages } from './messages.ts';

/** What has been seen of one iteration. */
export const SEEN = { duration: 1, blocked: 2, iteration: 4 } as const;

/** No run has as many iterations as this; a higher number is a damaged row. */
const MAX_SEQ = 2 ** 27;
const CODES: readonly string[] = Object.values(ANSWER_CODES);

/** Columns of the started iterations by their number, filled from rows in any order; microseconds. */
interface Columns {
  /** Last byte of the transaction, wall clock. */
  endUs: Float64Array;
  /** Start of the iteration, wall clock. */
  iterationStartUs: Float64Array;
  /** Request sent to last byte. */
  serviceUs: Float64Array;
  /** Getting a connection, its set-up included. */
  blockedUs: Float64Array;
  /** Spent on a token before the transaction. */
  waitUs: Float64Array;
  status: Uint16Array;
  errorCode: Uint16Array;
  /** Index + 1 into the answer codes; 0 where the iteration gave none. */
  code: Uint8Array;
  /** Place among the distinct messages, from 1; 0 where the answer has none. */
  said: Uint8Array;
  seen: Uint8Array;
}

/** Everything a stream of rows has said so far. */
export interface StreamTable {
  columns: Columns;
  capacity: number;
  /** Highest iteration number seen, plus one. */
  started: number;
  /** Wall clock of each dropped arrival, microseconds. */
  dropsUs: number[];
  /** Start of the schedule as the scenario sees it (whole milliseconds), microseconds; NaN before the first row. */
  originUs: number;
  /** Newest moment that a row tells of, microseconds; 0 before the first. */
  newestUs: number;
  rows: number;
  /** Rows that end an iteration. */
  iterations: number;
  /** Transactions by their counter rows. */
  requests: number;
  failed: number;
  /** How the transactions ended, for the rules that stop a cell. */
  endings: { ended: number; unauthorized: number; forbidden: number; serverErrors: number; refused: number };
  /** What the target said where it refused. */
  messages: Messages;
  /** Rows that are not what k6 writes, or that say something twice or in contradiction. */
  malformed: number;
  /** Number of the newest iteration whose answer was a success; -1 before the first. */
  newestOk: number;
  /** Endings of the ramp-up before the steady state: numbers of the successes, failures, drops. */
  ramp: { seen: boolean; succeeded: number[]; failed: number; dropped: number };
  /** Least and greatest offset of the wall clock that the scenario marked, microseconds; NaN where it marked none. */
  clockUs: { least: number; most: number };
  /** Service times since the last look, for the live figures. */
  recentUs: number[];
}

function columns(capacity: number): Columns {
  return {
    endUs: new Float64Array(capacity),
    iterationStartUs: new Float64Array(capacity),
    serviceUs: new Float64Array(capacity),
    blockedUs: new Float64Array(capacity),
    waitUs: new Float64Array(capacity),
    status: new Uint16Array(capacity),
    errorCode: new Uint16Array(capacity),
    code: new Uint8Array(capacity),
    said: new Uint8Array(capacity),
    seen: new Uint8Array(capacity),
  };
}

/** An empty table; grows beyond the expected number of iterations when need be. */
export function createTable(expected: number): StreamTable {
  const capacity = Math.max(64, expected);
  return {
    columns: columns(capacity),
    capacity,
    started: 0,
    dropsUs: [],
    originUs: Number.NaN,
    newestUs: 0,
    rows: 0,
    iterations: 0,
    requests: 0,
    failed: 0,
    endings: { ended: 0, unauthorized: 0, forbidden: 0, serverErrors: 0, refused: 0 },
    messages: noMessages(),
    malformed: 0,
    newestOk: -1,
    ramp: { seen: false, succeeded: [], failed: 0, dropped: 0 },
    clockUs: { least: Number.NaN, most: Number.NaN },
    recentUs: [],
  };
}

function grow(table: StreamTable, needed: number): void {
  const capacity = Math.max(needed, table.capacity * 2);
  const wider = columns(capacity);
  for (const key of Object.keys(wider) as (keyof Columns)[]) wider[key].set(table.columns[key]);
  table.columns = wider;
  table.capacity = capacity;
}

/** Marks what was seen of an iteration; false where the number is no number or the same was seen before. */
export function mark(table: StreamTable, seq: number, what: number): boolean {
  if (!Number.isInteger(seq) || seq < 0 || seq >= MAX_SEQ) return false;
  if (seq >= table.capacity) grow(table, seq + 1);
  const seen = table.columns.seen[seq] ?? 0;
  if ((seen & what) !== 0) return false;
  table.columns.seen[seq] = seen | what;
  if (seq >= table.started) table.started = seq + 1;
  return true;
}

/** Answer code of an iteration; undefined where it gave none. */
export function codeOf(table: StreamTable, seq: number): string | undefined {
  return CODES[(table.columns.code[seq] ?? 0) - 1];
}

/** Number under which an answer code is kept. */
export function codeNumber(code: string): number {
  return CODES.indexOf(code) + 1;
}
