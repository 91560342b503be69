import { messageShape, readSaid, type Said } from '../../lib/wire/said.ts';
import { ANSWER_CODES } from '../../lib/wire/scenario.ts';

/** Distinct messages that are kept; further ones are counted without their words. */
const MOST_MESSAGES = 100;

/** Status 4xx that speaks of the moment and not of the request. */
const PASSING = new Set([401, 403, 408, 425, 429]);

/** The distinct messages of a stream, each as it came first, and whether all answers so far are one and the same refusal. */
const noMessages = () => ({
  first: [] as Said[],
  places: new Map<string, number>(),
  alike: 0 as number | null,
  alikePlace: 0,
});
type Messages = ReturnType<typeof noMessages>;

/** Place of a message among the distinct ones, from 1; 0 for an answer without one. */
export function placeOfMessage(messages: Messages, word: string | undefined): number {
  const read = word === undefined || word === '' ? undefined : readSaid(word);
  if (read === undefined) return 0;
  const key = `${read.status} ${read.body} ${read.retryAfter !== undefined} ${messageShape(read.says)}`;
  const known = messages.places.get(key);
  if (known !== undefined) return known;
  if (messages.first.length === MOST_MESSAGES) return 0;
  const place = messages.first.push(read);
  messages.places.set(key, place);
  return place;
}

/** Counts an answer among those that are one and the same refusal from the first one on. */
export function countAlike(messages: Messages, place: number, code: string): void {
  if (messages.alike === null) return;
  const status = messages.first[place - 1]?.status ?? 0;
  const isRefusal = code === ANSWER_CODES.other && status >= 400 && status < 500 && !PASSING.has(status);
  const isSame = messages.alike === 0 || messages.alikePlace === place;
  messages.alikePlace = place;
  messages.alike = isRefusal && isSame ? messages.alike + 1 : null;
}

export const SEEN = { duration: 1, blocked: 2, iteration: 4 } as const;

/** No run has as many iterations as this; a higher number is a damaged row. */
const MAX_SEQ = 2 ** 27;
const CODES: readonly string[] = Object.values(ANSWER_CODES);

/** Columns of the started iterations by their number, filled from rows in any order; microseconds. */
function columns(capacity: number) {
  return {
    /** Last byte of the transaction, wall clock. */
    endUs: new Float64Array(capacity),
    /** Start of the iteration, wall clock. */
    iterationStartUs: new Float64Array(capacity),
    serviceUs: new Float64Array(capacity),
    /** Getting a connection, its set-up included. */
    blockedUs: new Float64Array(capacity),
    /** Spent on a token before the transaction. */
    waitUs: new Float64Array(capacity),
    status: new Uint16Array(capacity),
    errorCode: new Uint16Array(capacity),
    /** Index + 1 into the answer codes; 0 if the iteration gave none. */
    code: new Uint8Array(capacity),
    /** Place among the distinct messages, from 1; 0 if the answer has none. */
    said: new Uint8Array(capacity),
    seen: new Uint8Array(capacity),
  };
}

/** An empty table; grows beyond the expected number of iterations when need be. */
export function createTable(expected: number) {
  const capacity = Math.max(64, expected);
  return {
    columns: columns(capacity),
    capacity,
    /** Highest iteration number seen, plus one. */
    started: 0,
    dropsUs: [] as number[],
    /** Start of the schedule as the scenario sees it (whole milliseconds), microseconds; NaN before the first row. */
    originUs: Number.NaN,
    /** Newest moment that a row tells of, microseconds; 0 before the first. */
    newestUs: 0,
    rows: 0,
    iterations: 0,
    requests: 0,
    failed: 0,
    endings: { ended: 0, unauthorized: 0, forbidden: 0, serverErrors: 0, refused: 0 },
    messages: noMessages(),
    /** Rows that are not what k6 writes, or that say something twice or in contradiction. */
    malformed: 0,
    /** Number of the newest iteration whose answer was a success; -1 before the first. */
    newestOk: -1,
    /** Endings of the ramp-up before the steady state: numbers of the successes, failures, drops. */
    ramp: { seen: false, succeeded: [] as number[], failed: 0, dropped: 0 },
    /** Least and greatest offset of the wall clock that the scenario marked, microseconds; NaN where it marked none. */
    clockUs: { least: Number.NaN, most: Number.NaN },
    /** Service times since the last look, for the live figures. */
    recentUs: [] as number[],
  };
}

export type StreamTable = ReturnType<typeof createTable>;

function grow(table: StreamTable, needed: number): void {
  const capacity = Math.max(needed, table.capacity * 2);
  const wider = columns(capacity);
  for (const key of Object.keys(wider) as (keyof typeof wider)[]) wider[key].set(table.columns[key]);
  table.columns = wider;
  table.capacity = capacity;
}

/** Marks what was seen of an iteration; false if the number is no number or the same was seen before. */
export function mark(table: StreamTable, seq: number, what: number): boolean {
  if (!Number.isInteger(seq) || seq < 0 || seq >= MAX_SEQ) return false;
  if (seq >= table.capacity) grow(table, seq + 1);
  const seen = table.columns.seen[seq] ?? 0;
  if ((seen & what) !== 0) return false;
  table.columns.seen[seq] = seen | what;
  if (seq >= table.started) table.started = seq + 1;
  return true;
}

export function codeOf(table: StreamTable, seq: number): string | undefined {
  return CODES[(table.columns.code[seq] ?? 0) - 1];
}

export function codeNumber(code: string): number {
  return CODES.indexOf(code) + 1;
}
