import { isOutside, type RequirementSets } from '../../contract/requirement-sets.ts';
import type { ConformanceResult } from '../../records/conformance.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import { runOptions } from '../../records/run-options.ts';
import type { Verdict } from '../../records/vocabulary.ts';

/** Verdicts that count against a target. */
const AGAINST: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'blocked']);

/** Records in which a result of a requirement that came after the run's set is information, with what it would have been. */
export function withinSet(records: RunRecords, sets?: RequirementSets): RunRecords {
  const { requirements: set } = runOptions(records.header);
  const held = (result: ConformanceResult): ConformanceResult => {
    const { verdict, requirement, reason } = result;
    if (!AGAINST.has(verdict) || !isOutside(set, requirement, sets)) return result;
    const was = `its requirement is not in the set ${set}; otherwise: ${verdict}`;
    return { ...result, verdict: 'info', reason: reason === undefined ? was : `${was}: ${reason}` };
  };
  return { ...records, results: records.results.map(held) };
}
