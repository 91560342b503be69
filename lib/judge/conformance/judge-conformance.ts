import { defined } from '../../defined.ts';
import { groupBy } from '../../group-by.ts';
import type { Cause } from '../../records/answer.ts';
import { type ConformanceResult, resultKey } from '../../records/conformance.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import type { ConformanceReport, ResultReport } from '../../records/report.ts';
import type { Catalogue } from '../../records/run.ts';
import type { Conformance, Verdict } from '../../records/vocabulary.ts';
import type { Scope } from '../scope.ts';
import { judgeBaseline, markKnown } from './baseline/judge-baseline.ts';
import { isExpected } from './baseline/known.ts';
import { causesOf } from './cause/causes.ts';
import { shownOf } from './cause/shown.ts';
import { coverageOf, coverageShare, type Excused, leastOf, sawNoRecord } from './coverage.ts';
import { countVerdicts, isFailing, mayStayOpen, openStated, rollup } from './unproven.ts';

type Requirements = ConformanceReport['requirements'];

/** Verdict over results: green only where something passed or warned, nothing failed and nothing that had to be exercised stays open. */
function conformanceVerdict(results: readonly ConformanceResult[], strict: boolean, open: boolean): Conformance {
  const counts = countVerdicts(results);
  if (counts.fail > 0 || (strict && counts.warn > 0)) return 'non-conformant';
  // A check that warns has looked.
  if (counts.pass + counts.warn === 0) return 'not-tested';
  return counts.error > 0 || open ? 'inconclusive' : 'conformant';
}

/** Verdict of every requirement of the catalogue, and of any that results name beyond it. */
function requirementVerdicts(catalogue: Catalogue, results: readonly ConformanceResult[]): Requirements {
  const byRequirement = groupBy(results, ({ requirement }) => requirement);
  const ids = new Set([...catalogue.requirements.map(({ id }) => id), ...byRequirement.keys()]);
  return [...ids].map((id) => {
    const own = byRequirement.get(id) ?? [];
    return { id, verdict: rollup(own.map(({ verdict }) => verdict)) ?? 'not-tested', results: own.length };
  });
}

function familyVerdicts(records: RunRecords, scope: Scope, excused: Excused): ConformanceReport['families'] {
  const byFamily = groupBy(records.results, ({ family }) => family);
  return records.catalogue.families
    .filter(({ name }) => scope.families?.includes(name) ?? true)
    .map(({ name }) => {
      const results = byFamily.get(name) ?? [];
      const coverage = coverageOf({ ...records, results }, { families: [name] }, excused);
      const openOperation = coverage.open.some(({ kind, state }) => kind === 'operation' && state === 'not-exercised');
      const open = !scope.someChecks && (openOperation || !coverageShare(coverage).enough);
      return { name, verdict: conformanceVerdict(results, scope.strict, open), counts: countVerdicts(results) };
    });
}

const KINDS = {
  fresh: { expected: false },
  later: { expected: true, newRequirement: true },
  expected: { expected: true },
} as const;

const kindOf = (result: ResultReport): keyof typeof KINDS =>
  result.known?.outcome === 'new-requirement' ? 'later' : isExpected(result) ? 'expected' : 'fresh';

/** Causes of results: the new ones, those of requirements that are new in the suite, and those that the baseline expects. */
export function causesIn(
  { exchanges, histories = [] }: RunRecords,
  results: readonly ResultReport[],
  isMeant: (verdict: Verdict) => boolean,
): Cause[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const writes = new Map(histories.map((history) => [resultKey(history), history.writes]));
  const failed = results
    .filter(({ verdict }) => isMeant(verdict))
    .map((result) => {
      const own = writes.get(resultKey(result))?.filter(({ family }) => family === result.family) ?? [];
      const written = own.map(({ kind }) => kind);
      return { result, shown: shownOf(result, byId), written };
    });
  return Object.entries(KINDS).flatMap(([kind, marks]) =>
    causesOf(failed.filter(({ result }) => kindOf(result) === kind)).map((cause) => ({ ...cause, ...marks })),
  );
}

export function judgeConformance(records: RunRecords, scope: Scope): ConformanceReport {
  const { catalogue, dialect } = records;
  const own: ResultReport[] = records.results.map(({ pairs: _, ...result }) => result);
  const exchanges = new Map(records.exchanges.map((exchange) => [exchange.id, exchange]));
  const judged = { results: own, exchanges, startedAt: records.header.startedAt, scope };
  const baseline = records.baseline && judgeBaseline(records.baseline, judged);
  const results = baseline === undefined ? own : markKnown(own, baseline);
  const excused = new Set(results.filter(isExpected).map(resultKey));
  const coverage = coverageOf(records, scope, excused);
  const least = leastOf(records.baseline, coverage, scope);
  const tooLittle = !coverageShare(coverage, least).enough || sawNoRecord(coverage, catalogue, scope);
  const stated = openStated(results, excused).length;
  const open = stated > mayStayOpen(scope, least) || (!scope.someChecks && tooLittle);
  const doubtful =
    scope.someChecks &&
    scope.allowInconclusive === 0 &&
    results.some(({ verdict }) => verdict === 'inconclusive' || verdict === 'blocked');
  return {
    verdict: conformanceVerdict(results, scope.strict, open || doubtful),
    counts: countVerdicts(results),
    openStated: stated,
    results,
    causes: causesIn(records, results, (verdict) => isFailing(verdict, scope.strict)),
    coverage,
    pairs: records.results.flatMap(({ family, pairs }) => (pairs === undefined ? [] : [{ family, ...pairs }])),
    families: familyVerdicts(records, scope, excused),
    requirements: requirementVerdicts(catalogue, results),
    dialect,
    ...defined({ baseline }),
  };
}
