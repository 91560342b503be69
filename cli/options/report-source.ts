import { statSync } from 'node:fs';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import { MOST_BYTES, parseForeign, plainFile } from '../../lib/records/folder/foreign.ts';
import { Report } from '../../lib/records/report.ts';
import { renderRun } from '../../reports/render-run.ts';
import { readRun } from '../session/judged-again.ts';

/** The report of a run: judged anew from the records of a folder, or read from a report.json. Throws `ResultsError`. */
export function readReport(given: string): Report {
  if (statSync(given, { throwIfNoEntry: false })?.isFile() !== true) return renderRun(readRun(given)).report;
  try {
    return Report.parse(parseForeign(plainFile(given, MOST_BYTES.whole)?.toString('utf8') ?? ''));
  } catch (cause) {
    throw new ResultsError('bad-report', `${given} is not a report: ${messageOf(cause).slice(0, 300)}`, {
      cause,
      hint: 'name the folder of a run, or its report.json',
    });
  }
}
