import { basename, dirname, join, resolve } from 'node:path';
import { messageOf } from '../../lib/errors.ts';
import type { Report } from '../../lib/records/report.ts';
import { appendHistory } from '../../reports/history/file/append.ts';
import { lineOf } from '../../reports/history/record/line-of.ts';
import { type HistorySpec, NO_HISTORY } from '../options/specs.ts';
import type { Output } from '../output/output.ts';

export const HISTORY_FILE = 'history.ndjson';

/** Folder of a run, by its name below that of the history; undefined if it lies elsewhere. */
export function nameBeside(file: string, folder: string): string | undefined {
  return resolve(dirname(file)) === dirname(resolve(folder)) ? basename(resolve(folder)) : undefined;
}

/** Adds a finished run to its history. A history that cannot be written is said and changes no verdict. */
export function addToHistory(report: Report, folder: string, { history }: Partial<HistorySpec>, output: Output): void {
  if (history === NO_HISTORY) return;
  const file = history ?? join(dirname(folder), HISTORY_FILE);
  try {
    const line = lineOf(report, nameBeside(file, folder));
    appendHistory(file, () => [line]);
  } catch (fault) {
    output.warn(`history: the run was not added to ${file}: ${messageOf(fault)}`);
  }
}
