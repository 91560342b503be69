import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, ResultsError, UsageError } from '../../../lib/errors.ts';
import { releaseLock, takeLock } from '../../../lib/file-lock.ts';
import { inertJson, scrubbed } from '../../../lib/outgoing.ts';
import { makeFolder } from '../../../lib/records/folder/disk.ts';
import { plainLines } from '../../../lib/records/folder/foreign.ts';
import { excerpt, visibleText } from '../../../lib/text.ts';
import { HISTORY_VERSION, HistoryLine } from '../record/line.ts';

export interface History {
  readonly lines: readonly HistoryLine[];
  readonly skipped: readonly string[];
}

/** A file beyond this is refused: some ten years of full nights. */
const MOST_BYTES = 200 * 1024 * 1024;
/** Lines that are not used, after which it is no history. */
const MOST_SKIPPED = 1000;
const MOST_LINE = 1024 * 1024;

/** Reads one line. Throws if it is not a line of a history. */
export function readLine(text: string): HistoryLine {
  if (text.length > MOST_LINE) throw new Error(`longer than ${MOST_LINE / 1024} KiB`);
  const value: unknown = JSON.parse(text);
  const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
  if (typeof version === 'number' && version > HISTORY_VERSION) {
    throw new Error(`written by a newer version (${version}): it is kept and not used`);
  }
  const parsed = HistoryLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'is not as it should be'}`);
}

/** Identity of a line: two lines of one run are the same night. */
export const keyOf = ({ target, run, at }: HistoryLine): string => JSON.stringify([target, run, at]);

/** One for each run: the same run may have been imported, merged and appended. The last one counts. */
export function withoutDoubles(lines: readonly HistoryLine[]): HistoryLine[] {
  const byRun = new Map(lines.map((line) => [keyOf(line), line]));
  return [...byRun.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.run < b.run ? -1 : 1));
}

function historyOf(file: string): History {
  const lines: HistoryLine[] = [];
  const skipped: string[] = [];
  plainLines(file, MOST_BYTES, (one, number) => {
    if (one.trim() === '') return;
    try {
      lines.push(readLine(one));
    } catch (fault) {
      skipped.push(visibleText(excerpt(`${file}, line ${number}: ${messageOf(fault).replace(/\s+/g, ' ')}`, 300)));
    }
    if (skipped.length > MOST_SKIPPED) throw new Error(`more than ${MOST_SKIPPED} of its lines are none of a history`);
  });
  return { lines: withoutDoubles(lines), skipped };
}

/** Reads a history file. Throws `ResultsError` if there is none or it cannot be read. */
export function readHistory(file: string): History {
  if (!existsSync(file)) {
    throw new ResultsError('no-history', `${file} does not exist`, {
      hint: 'every finished run adds a line; `ers-harness history import runs/*` adds earlier runs',
    });
  }
  try {
    return historyOf(file);
  } catch (cause) {
    throw new ResultsError('bad-history', `cannot read the history ${file}: ${messageOf(cause)}`, { cause });
  }
}

const NEW_LINE = 10;
const PIECE = 64 * 1024;

/** Where the last line begins that has no line end; the size where every line has one. */
function cutFrom(descriptor: number, size: number): number {
  const piece = Buffer.alloc(PIECE);
  for (let end = size; end > 0; end -= PIECE) {
    const from = Math.max(0, end - PIECE);
    const read = readSync(descriptor, piece, 0, end - from, from);
    const at = piece.subarray(0, read).lastIndexOf(NEW_LINE);
    if (at >= 0) return from + at + 1;
  }
  return 0;
}

/** A line that was cut is taken off; one that only lost its end gets it back. Returns the size after that. */
function mend(descriptor: number): number {
  const { size } = fstatSync(descriptor);
  const from = cutFrom(descriptor, size);
  if (from === size) return size;
  const rest = Buffer.alloc(size - from);
  readSync(descriptor, rest, 0, rest.length, from);
  try {
    readLine(rest.toString('utf8'));
    writeSync(descriptor, '\n', size);
    return size + 1;
  } catch {
    ftruncateSync(descriptor, from);
    return from;
  }
}

/** Like everything that leaves, without the login, and without what a CI system that shows the file would act on. */
const textOf = (lines: readonly HistoryLine[]) =>
  lines.map((line) => `${inertJson(scrubbed(JSON.stringify(line)))}\n`).join('');

/** Writes all of the text at the end, or nothing: a disk that is full must not leave half a line. */
function writeWhole(descriptor: number, size: number, text: string): void {
  const bytes = Buffer.from(text);
  try {
    let written = 0;
    while (written < bytes.length) {
      written += writeSync(descriptor, bytes, written, bytes.length - written, size + written);
    }
    fsyncSync(descriptor);
  } catch (fault) {
    ftruncateSync(descriptor, size);
    throw fault;
  }
}

const WAIT_MS = 20;
/** An append takes milliseconds: a lock this old is of a process that is gone. */
const STALE_MS = 20_000;
const PATIENCE_MS = 30_000;

const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Does the work while no other process holds `<file>.lock`. Throws `UsageError` if it stays held. */
function locked<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  const until = Date.now() + PATIENCE_MS;
  while (!takeLock(lock, STALE_MS)) {
    if (Date.now() > until) {
      throw new UsageError('history-locked', `another run holds ${lock}`, {
        hint: 'remove the lock if no run is under way',
      });
    }
    sleep(WAIT_MS);
  }
  try {
    return work();
  } finally {
    releaseLock(lock);
  }
}

/** How a line of this version begins, and one of any version: a file that begins in another way was made by somebody else. */
const BEGIN = `{"v":${HISTORY_VERSION},"run":"`;
const BEGINS = /^\{"v":\d{1,4},"run":"/;

/** Throws `UsageError` for a file that is no history: it is not written to. */
function refuseOthers(file: string, descriptor: number): void {
  const bytes = Buffer.alloc(BEGIN.length + '999'.length);
  const begin = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  if (BEGINS.test(begin) || BEGIN.startsWith(begin)) return;
  throw new UsageError('not-a-history', `${file} is no history: nothing is written to it`, {
    hint: 'use --history to name a new file, or one that this program made',
  });
}

/** Adds lines to a history, made if need be: all of them or none, also where another run appends at the same time. */
export function appendHistory(file: string, linesFor: () => readonly HistoryLine[]): void {
  makeFolder(dirname(file));
  locked(file, () => {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new UsageError('history-is-link', `${file} is a link, or no file`, {
        hint: 'use --history to name a file',
      });
    closeSync(openSync(file, 'a', 0o600));
    const descriptor = openSync(file, 'r+');
    try {
      refuseOthers(file, descriptor);
      const size = mend(descriptor);
      writeWhole(descriptor, size, textOf(linesFor()));
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Adds the lines whose runs are not in the history yet; returns how many those were. */
export function mergeIntoHistory(file: string, lines: readonly HistoryLine[]): number {
  let added: readonly HistoryLine[] = [];
  appendHistory(file, () => {
    const held = new Set(readHistory(file).lines.map(keyOf));
    added = withoutDoubles(lines).filter((line) => !held.has(keyOf(line)));
    return added;
  });
  return added.length;
}
