import { groupBy } from '../../group-by.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import type { CapacityReport } from '../../records/load/capacity.ts';
import type { CellReport } from '../../records/load/load.ts';
import { searchSentence } from '../answer/search.ts';
import type { JudgeCell } from '../cell/judge-load.ts';
import { missingOf, overall, type Scope } from '../scope.ts';
import { capacityAnswer } from './capacity-answer.ts';

/** Rate of the specification for a profile; that of the first step, where the search starts, if the run's tables are missing. */
function targetOf(records: RunRecords, profile: string, steps: readonly CellReport[]): number {
  const row = records.catalogue.anc?.profiles.find(({ name }) => name === profile);
  return row?.perSecond ?? steps[0]?.facts.plan.targetPerSecond ?? 0;
}

/** The capacity as the steps of the run show it: every step judged, and each search answered. */
export function judgeCapacity(records: RunRecords, scope: Scope, judgeCell: JudgeCell): CapacityReport {
  const steps = records.cells
    .filter(({ facts }) => facts.step !== undefined)
    .map(({ facts, samples }) => judgeCell(facts, samples))
    .sort((a, b) => a.facts.startedAt.localeCompare(b.facts.startedAt));
  const groups = [...groupBy(steps, ({ profile, operation }) => `${profile} ${operation}`).values()];
  const cut = records.end === null || records.end.signal !== undefined;
  const answers = groups.map((own) => {
    const answer = capacityAnswer(own, targetOf(records, own[0]?.profile ?? '', own));
    return { ...answer, said: searchSentence(answer, own, cut) };
  });
  return { verdict: overall(answers, missingOf(scope.searches, answers).length), answers, steps };
}
