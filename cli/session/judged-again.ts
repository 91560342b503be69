import type { Difference } from '../../conformance/model/difference.ts';
import { judgeAgain } from '../../conformance/model/judge.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';
import { type RunRecords, readRunFolder } from '../../lib/records/folder/reader.ts';
import type { HistoryRecord } from '../../lib/records/histories.ts';

/** Reason of a failure that this version does not see in what was recorded of it. */
const NOT_SEEN = 'judged again by this version: no difference';

/** What this version sees in the grounds of a failure; null if they are of a kind that it cannot judge. */
function seenIn(history: HistoryRecord): Difference | undefined | null {
  const families = [history.observation.question, ...history.writes].map(({ family }) => family);
  if (history.redacted || !families.every((family) => Object.hasOwn(FAMILIES, family))) return null;
  return judgeAgain(history, FAMILIES);
}

function againOf(result: ConformanceResult, history: HistoryRecord | undefined): ConformanceResult {
  if (result.verdict !== 'fail' || history === undefined || seenIn(history) !== undefined) return result;
  const { failure: _, ...rest } = result;
  return { ...rest, verdict: 'inconclusive', reason: NOT_SEEN };
}

/** Reads a run folder. Failures whose grounds are recorded are judged again by the oracle of this version. Throws `ResultsError`. */
export function readRun(folder: string): RunRecords {
  const records = readRunFolder(folder);
  const histories = new Map(records.histories?.map((history) => [resultKey(history), history]));
  return { ...records, results: records.results.map((result) => againOf(result, histories.get(resultKey(result)))) };
}
