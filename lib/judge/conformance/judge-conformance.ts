import { defined } from '../../defined.ts';
import { groupBy } from '../../group-by.ts';
import type { ConformanceResult } from '../../records/conformance.ts';
import type { RunRecords } from '../../records/reader.ts';
import type { ConformanceReport } from '../../records/report.ts';
import type { Catalogue } from '../../records/run.ts';
import type { Conformance } from '../../records/vocabulary.ts';
import type { Scope } from '../scope.ts';
import { judgeBaseline, markKnown } from './baseline.ts';
import { coverageOf, coverageShare } from './coverage.ts';
import { countVerdicts, rollup } from './rollup.ts';

type Requirements = ConformanceReport['requirements'];

/** Whatever still stands between results and the word conformant, beside failures. */
interface Doubts {
  readonly strict: boolean;
  /** Something that had to be exercised was not. */
  readonly open: boolean;
}

/** Verdict over results: green only where something passed, nothing failed and nothing that was asked for stays open. */
export function conformanceVerdict(results: readonly ConformanceResult[], doubts: Doubts): Conformance {
  const counts = countVerdicts(results);
  if (counts.fail > 0 || (doubts.strict && counts.warn > 0)) return 'non-conformant';
  if (counts.pass === 0) return 'not-tested';
  return counts.error > 0 || doubts.open ? 'inconclusive' : 'conformant';
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

/** Stated requirements that checks tried to decide without one pass: the worst of them is inconclusive or blocked. */
export function unprovenRequirements(records: Pick<RunRecords, 'catalogue' | 'results'>): readonly string[] {
  const stated = new Set(records.catalogue.requirements.filter(({ level }) => level === 'stated').map(({ id }) => id));
  const binding = records.results.filter(({ level }) => level === 'stated');
  return [...groupBy(binding, ({ requirement }) => requirement)]
    .filter(([id, results]) => {
      const verdicts = new Set(results.map(({ verdict }) => verdict));
      const tried = verdicts.has('inconclusive') || verdicts.has('blocked');
      return stated.has(id) && tried && !verdicts.has('pass') && !verdicts.has('fail');
    })
    .map(([id]) => id);
}

function familyVerdicts(records: RunRecords, scope: Scope): ConformanceReport['families'] {
  const byFamily = groupBy(records.results, ({ family }) => family);
  return records.catalogue.families
    .filter(({ name }) => scope.families?.includes(name) ?? true)
    .map(({ name }) => {
      const results = byFamily.get(name) ?? [];
      const coverage = coverageOf({ ...records, results }, { families: [name] });
      const openOperation = coverage.open.some(({ kind, state }) => kind === 'operation' && state === 'not-exercised');
      const open = !scope.someChecks && (openOperation || !coverageShare(coverage).enough);
      return {
        name,
        verdict: conformanceVerdict(results, { strict: scope.strict, open }),
        counts: countVerdicts(results),
      };
    });
}

/** The conformance part of the report. */
export function judgeConformance(records: RunRecords, scope: Scope): ConformanceReport {
  const { results, catalogue, dialect } = records;
  const coverage = coverageOf(records, scope);
  const open = unprovenRequirements(records).length > 0 || (!scope.someChecks && !coverageShare(coverage).enough);
  const doubtful =
    scope.someChecks && results.some(({ verdict }) => verdict === 'inconclusive' || verdict === 'blocked');
  const baseline =
    records.baseline === undefined
      ? undefined
      : judgeBaseline(records.baseline, results, {
          startedAt: records.header.startedAt,
          fails: ({ verdict }) => verdict === 'fail' || (scope.strict && verdict === 'warn'),
        });
  return {
    verdict: conformanceVerdict(results, { strict: scope.strict, open: open || doubtful }),
    counts: countVerdicts(results),
    results: baseline === undefined ? [...results] : markKnown(results, baseline),
    coverage,
    families: familyVerdicts(records, scope),
    requirements: requirementVerdicts(catalogue, results),
    dialect,
    ...defined({ baseline }),
  };
}
