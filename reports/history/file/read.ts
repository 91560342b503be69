import { existsSync } from 'node:fs';
import { messageOf, ResultsError } from '../../../lib/errors.ts';
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
