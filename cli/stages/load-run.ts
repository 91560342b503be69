import { statSync } from 'node:fs';
import { readRunFolder } from '../../lib/records/folder/reader.ts';
import type { Samples } from '../../lib/records/load/samples.ts';
import type { LoadRun } from '../../reports/compare/load.ts';
import { renderRun } from '../../reports/render-run.ts';
import { readReport } from '../options/report-source.ts';

/** A run with its samples; a report.json has none. Throws `ResultsError`. */
export function readLoadRun(given: string): LoadRun {
  if (statSync(given, { throwIfNoEntry: false })?.isFile() === true) {
    return { report: readReport(given), samples: new Map() };
  }
  const records = readRunFolder(given);
  const samples = records.cells.flatMap((cell): [string, Samples][] =>
    cell.samples === null ? [] : [[cell.facts.id, cell.samples]],
  );
  return { report: renderRun(records).report, samples: new Map(samples) };
}
