import { statSync } from 'node:fs';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../lib/judge/judge.ts';
import { MOST_BYTES, parseForeign, plainFile } from '../../lib/records/folder/foreign.ts';
import { Report } from '../../lib/records/report.ts';
import type { LoadRun } from '../../reports/compare/load.ts';
import { readRun } from '../session/judged-again.ts';

/** Throws `ResultsError` for a file that is no report.json. */
function readReport(file: string): Report {
  try {
    return Report.parse(parseForeign(plainFile(file, MOST_BYTES.whole)?.toString('utf8') ?? ''));
  } catch (cause) {
    throw new ResultsError('bad-report', `${file} is not a report: ${messageOf(cause).slice(0, 300)}`, {
      cause,
      hint: 'name the folder of a run, or its report.json',
    });
  }
}

/** A run with its samples, judged anew from the records of its folder; a report.json has no samples. Throws `ResultsError`. */
export function readLoadRun(given: string): LoadRun {
  if (statSync(given, { throwIfNoEntry: false })?.isFile() === true)
    return { report: readReport(given), samples: new Map() };
  const records = readRun(given);
  const samples = records.cells.map((cell) => [cell.facts.id, () => cell.samples] as const);
  return { report: judge(records, judgeCell), samples: new Map(samples) };
}
