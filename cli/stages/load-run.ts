import { statSync } from 'node:fs';
import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../lib/judge/judge.ts';
import { readRunFolder } from '../../lib/records/folder/reader.ts';
import type { LoadRun } from '../../reports/compare/load.ts';

import { readReport } from '../options/report-source.ts';

/** A run with its samples; a report.json has none. Throws `ResultsError`. */
export function readLoadRun(given: string): LoadRun {
  if (statSync(given, { throwIfNoEntry: false })?.isFile() === true) {
    return { report: readReport(given), samples: new Map() };
  }
  const records = readRunFolder(given);
  const samples = records.cells.map((cell) => [cell.facts.id, () => cell.samples] as const);
  return { report: judge(records, judgeCell), samples: new Map(samples) };
}
