import { statSync } from 'node:fs';
import { judgeAgain } from '../../conformance/model/judge.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../lib/judge/judge.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';
import { MOST_BYTES, parseForeign, plainFile } from '../../lib/records/folder/foreign.ts';
import { type RunRecords, readRunFolder } from '../../lib/records/folder/reader.ts';
import type { HistoryRecord } from '../../lib/records/histories.ts';
import { Report } from '../../lib/records/report.ts';
import type { LoadRun } from '../../reports/compare/load.ts';

/** Reason of a failure that this version does not see in what was recorded of it. */
const NOT_SEEN = 'judged again by this version: no difference';

/** A failure in whose grounds this version sees nothing is none; grounds of a kind that it cannot judge leave it as it is. */
function againOf(result: ConformanceResult, history: HistoryRecord | undefined): ConformanceResult {
  if (result.verdict !== 'fail' || history === undefined || history.redacted) return result;
  const families = [history.observation.question, ...history.writes].map(({ family }) => family);
  const canJudge = families.every((family) => Object.hasOwn(FAMILIES, family));
  if (!canJudge || judgeAgain(history, FAMILIES) !== undefined) return result;
  const { failure: _, ...rest } = result;
  return { ...rest, verdict: 'inconclusive', reason: NOT_SEEN };
}

/** Reads a run folder. Failures whose grounds are recorded are judged again by the oracle of this version. Throws `ResultsError`. */
export function readRun(folder: string): RunRecords {
  const records = readRunFolder(folder);
  const histories = new Map(records.histories?.map((history) => [resultKey(history), history]));
  return { ...records, results: records.results.map((result) => againOf(result, histories.get(resultKey(result)))) };
}

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
