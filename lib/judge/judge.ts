import { defined } from '../defined.ts';
import { type ExitCode, worstExit } from '../exit-codes.ts';
import { groupBy } from '../group-by.ts';
import { commandLine, folderOf, statementText } from '../records/answer.ts';
import type { ConformanceResult, JournalEntry } from '../records/conformance.ts';
import type { RunRecords } from '../records/folder/reader.ts';
import type { CapacityReport } from '../records/load/capacity.ts';
import { REPORT_VERSION, type Report } from '../records/report.ts';
import { runOptions } from '../records/run-options.ts';
import { answerOf, byWeight, sweepArgs } from './answer/answer-of.ts';
import { reasonsOf } from './answer/reasons.ts';
import { searchSentence } from './answer/search.ts';
import { capacityAnswer } from './capacity/capacity-answer.ts';
import { type JudgeCell, judgeLoad } from './cell/judge-load.ts';
import { isOfLater } from './conformance/baseline/known.ts';
import { judgeConformance } from './conformance/judge-conformance.ts';
import { missingOf, missingRecords, overall, type Scope, scopeOf } from './scope.ts';

/** Records in which a result of a requirement that came after the run's set is information, with what it would have been. */
function withinSet(records: RunRecords): RunRecords {
  const { requirements: set } = runOptions(records.header);
  const held = (result: ConformanceResult): ConformanceResult => {
    const { verdict, reason } = result;
    if (!isOfLater(result, set)) return result;
    const was = `its requirement is not in the set ${set}; otherwise: ${verdict}`;
    return { ...result, verdict: 'info', reason: reason === undefined ? was : `${was}: ${reason}` };
  };
  return { ...records, results: records.results.map(held) };
}

/** The capacity as the steps of the run show it: every step judged, and each search answered. */
function judgeCapacity(records: RunRecords, scope: Scope, judgeCell: JudgeCell): CapacityReport {
  const steps = records.cells
    .filter(({ facts }) => facts.step !== undefined)
    .map(({ facts, samples }) => judgeCell(facts, samples))
    .sort((a, b) => a.facts.startedAt.localeCompare(b.facts.startedAt));
  const groups = [...groupBy(steps, ({ profile, operation }) => `${profile} ${operation}`).values()];
  const cut = records.end === null || records.end.signal !== undefined;
  // What a signal ended in its middle says nothing of the rate.
  const last = records.end?.signal === undefined ? undefined : steps.at(-1);
  const ended = last?.verdict === 'invalid' ? last : undefined;
  const answers = groups.map((all) => {
    const own = all.length > 1 ? all.filter((step) => step !== ended) : all;
    const [first] = own;
    const row = records.catalogue.anc?.profiles.find(({ name }) => name === first?.profile);
    // That of the first step, where the search starts, if the run's tables are missing.
    const answer = capacityAnswer(own, row?.perSecond ?? first?.facts.plan.targetPerSecond ?? 0);
    return { ...answer, said: searchSentence(answer, own, cut) };
  });
  return { verdict: overall(answers, missingOf(scope.searches, answers).length), answers, steps };
}

type Cleanup = Report['cleanup'];

/**
 * What the journal of a run that was cut says was made and does not say was taken away, each with the sweep that looks at it: a wave of
 * ANC writes tells no answers, so that of each nobody knows.
 */
function leftByJournal({ header, journal }: Pick<RunRecords, 'header' | 'journal'>): Cleanup['residue'] {
  const command = commandLine(sweepArgs(header), folderOf(header));
  const left = new Map<string, Cleanup['residue'][number]>();
  for (const { event, family, id, name, endpoint, endpoints: wave } of journal) {
    const what = id ?? endpoint ?? (wave && `endpoints ${wave.offset + 1} to ${wave.offset + wave.size} of the pool`);
    if (what === undefined) continue;
    // Waves are told cleared together, once a look showed that no endpoint of any holds a policy.
    if (event === 'cleared' && wave !== undefined)
      for (const [other, { standing }] of left) if (standing === 'unknown') left.delete(other);
    const key = `${family} ${what}`;
    if (event === 'removed' || event === 'cleared') left.delete(key);
    const doubt = wave && { number: Math.max(wave.count, left.get(key)?.number ?? 0), standing: 'unknown' as const };
    if (event === 'created' || event === 'applied' || (event === 'intent' && wave !== undefined))
      left.set(key, { family, id: what, ...defined({ name }), command, ...doubt });
  }
  return [...left.values()];
}

/** What was made and what is left: as the run said at its end, or as its journal shows where it was cut. */
function cleanupOf(records: Pick<RunRecords, 'header' | 'end' | 'journal'>): Cleanup {
  if (records.end !== null) return { source: 'end', ...records.end.cleanup };
  const count = (...events: readonly JournalEntry['event'][]) =>
    records.journal.filter(({ event }) => events.includes(event)).length;
  return {
    source: 'journal',
    created: count('created', 'applied'),
    removed: count('removed', 'cleared'),
    residue: leftByJournal(records),
  };
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
  const { header: run, end, catalogue, damage } = records;
  const answer = answerOf({ ...parts, run, end, catalogue }, code, reasons, scope);
  return {
    reportVersion: REPORT_VERSION,
    run,
    end,
    // Every promised record is there: the last one, the catalogue, as many as were written.
    complete: end !== null && catalogue.families.length > 0 && [...damage, ...missingRecords(records)].length === 0,
    exit: { code, reasons: byWeight(reasons).map((reason) => ({ code: reason.code, text: statementText(reason) })) },
    answer,
    ...parts,
    catalogue,
  };
}
