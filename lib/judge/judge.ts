import { defined } from '../defined.ts';
import { type ExitCode, worstExit } from '../exit-codes.ts';
import { statementText } from '../records/answer.ts';
import type { RunRecords } from '../records/folder/reader.ts';
import { REPORT_VERSION, type Report } from '../records/report.ts';
import { answerOf, byWeight } from './answer/answer-of.ts';
import { reasonsOf } from './answer/reasons.ts';
import { judgeCapacity } from './capacity/judge-capacity.ts';
import { type JudgeCell, judgeLoad } from './cell/judge-load.ts';
import { cleanupOf } from './conformance/cleanup.ts';
import { judgeConformance } from './conformance/judge-conformance.ts';
import { withinSet } from './conformance/requirement-set.ts';
import { missingRecords } from './missing-records.ts';
import { scopeOf } from './scope.ts';

/** The word over all, by exit code; `not-tested` also where the run refused to start. */
const WORDS: Readonly<Record<ExitCode, Report['verdict']>> = {
  0: 'proven',
  1: 'disproven',
  2: 'not-tested',
  3: 'not-tested',
  4: 'inconclusive',
  5: 'residue',
  6: 'inconclusive',
  7: 'inconclusive',
  70: 'fault',
  130: 'interrupted',
  143: 'interrupted',
};

/** True where every promised record is there: the last record, the catalogue, as many as were written, and no damage. */
function isComplete(records: RunRecords): boolean {
  const whole = records.damage.length === 0 && missingRecords(records).length === 0;
  return records.end !== null && whole && records.catalogue.families.length > 0;
}

/** Everything the reports say, as a function of the records alone: no clock, no disk, no network. */
export function judge(recorded: RunRecords, judgeCell: JudgeCell): Report {
  const records = withinSet(recorded);
  const scope = scopeOf(records);
  const conformance = scope.conformance ? judgeConformance(records, scope) : null;
  const cleanup = { ...cleanupOf(records), ...defined({ allowed: scope.allowResidue || undefined }) };
  const load = scope.load ? judgeLoad(records, scope, judgeCell) : null;
  const capacity = scope.capacity ? { capacity: judgeCapacity(records, scope, judgeCell) } : {};
  const parts = { conformance, load, cleanup, ...capacity };
  const reasons = reasonsOf(records, parts, scope);
  const code = worstExit(reasons.map((reason) => reason.code as ExitCode));
  const { header: run, end, catalogue } = records;
  const answer = answerOf({ ...parts, run, end, catalogue }, code, reasons);
  return {
    reportVersion: REPORT_VERSION,
    run,
    end,
    complete: isComplete(records),
    verdict: WORDS[code],
    exit: { code, reasons: byWeight(reasons).map((reason) => ({ code: reason.code, text: statementText(reason) })) },
    answer,
    ...parts,
    catalogue,
  };
}
