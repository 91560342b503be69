import { groupBy } from '../../group-by.ts';
import type { BaselineShown } from '../../records/baseline.ts';
import { type ConformanceResult, INTERRUPTED, OUT_OF_TIME, resultKey } from '../../records/conformance.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import type { ConformanceReport, Report } from '../../records/report.ts';
import { Verdict } from '../../records/vocabulary.ts';
import { counted, short, some, withoutIds } from '../../text.ts';
import type { Scope } from '../scope.ts';
import { rootOf } from './baseline/known.ts';
import type { Excused } from './coverage.ts';

/** Worst first; info, not-testable and not-applicable are absent, because they never decide. */
const WORST_FIRST: readonly Verdict[] = ['error', 'fail', 'inconclusive', 'blocked', 'warn', 'pass'];

const UNDECIDED: readonly Verdict[] = ['info', 'not-testable', 'not-applicable'];

/** Verdict over several: the worst that decides; info, not-testable or not-applicable if none does; undefined of none at all. */
export function rollup(verdicts: Iterable<Verdict>): Verdict | undefined {
  const seen = new Set(verdicts);
  return WORST_FIRST.find((verdict) => seen.has(verdict)) ?? UNDECIDED.find((verdict) => seen.has(verdict));
}

export function countVerdicts(results: Iterable<{ readonly verdict: Verdict }>): Record<Verdict, number> {
  const counts = Object.fromEntries(Verdict.options.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}

/** True for a verdict that proves nothing either way although it was asked for. */
export const isOpen = (verdict: Verdict): boolean =>
  verdict === 'blocked' || verdict === 'inconclusive' || verdict === 'error';

/** True for a verdict that fails its run, unless that was expected: a warning only in a strict one. */
export const isFailing = (verdict: Verdict, strict: boolean): boolean =>
  verdict === 'fail' || (strict && verdict === 'warn');

/** Results that were asked for and prove nothing either way. */
export const notProven = (counts: Readonly<Record<Verdict, number>>): number =>
  counts.blocked + counts.inconclusive + counts.error;

/** True for what this target or this run could not show. */
export const isUntested = (verdict: Verdict): boolean => verdict === 'not-testable' || verdict === 'not-applicable';

export const notTested = (counts: Readonly<Record<Verdict, number>>): number =>
  counts['not-testable'] + counts['not-applicable'];

/** What the second try of a failure showed, in one line; undefined if the run tries none again. */
export function secondTryWords({ flaky, retry }: Pick<ConformanceResult, 'flaky' | 'retry'>): string | undefined {
  if (flaky === true) return 'flaky: it failed, then passed on retry; it still counts as a failure';
  if (retry === undefined) return undefined;
  const { verdict, skipped, reason } = retry;
  if (verdict === undefined) return `not retried: ${skipped ?? 'no reason is recorded'}`;
  return verdict === 'fail'
    ? 'failed again on retry'
    : `on retry: ${verdict}${reason === undefined ? '' : `: ${reason}`}`;
}

/** How many of failures are flaky, as an addition to their number; empty if none is. */
export function flakyShare(results: readonly ConformanceResult[]): string {
  const flaky = results.filter((result) => result.flaky === true).length;
  return flaky === 0 ? '' : `, ${flaky === results.length ? '' : `${flaky} of them `}flaky: passed on retry`;
}

/** Stated results that decided nothing: inconclusive, or blocked by something that did not fail. None that a baseline answers for. */
export function openStated(results: readonly ConformanceResult[], excused: Excused): readonly ConformanceResult[] {
  const root = rootOf(results);
  return results.filter(
    (result) =>
      result.level === 'stated' &&
      !excused.has(resultKey(result)) &&
      (result.verdict === 'inconclusive' || (result.verdict === 'blocked' && root(result)?.verdict !== 'fail')),
  );
}

/** Stated requirements, each with its family, that checks tried without one pass or failure there: another family proves nothing. */
export function unprovenRequirements(
  records: Pick<RunRecords, 'catalogue' | 'results'>,
  excused: Excused,
): readonly string[] {
  const stated = new Set(records.catalogue.requirements.filter(({ level }) => level === 'stated').map(({ id }) => id));
  const binding = records.results.filter(
    (result) => result.level === 'stated' && stated.has(result.requirement) && !excused.has(resultKey(result)),
  );
  return [...groupBy(binding, ({ requirement, family }) => `${requirement} in ${family}`)]
    .filter(([, results]) => {
      const verdicts = new Set(results.map(({ verdict }) => verdict));
      const tried = verdicts.has('inconclusive') || verdicts.has('blocked');
      return tried && !verdicts.has('pass') && !verdicts.has('fail');
    })
    .map(([pair]) => pair);
}

/** How many stated results may stay open: what the operator says, or what a baseline says stayed open before. */
export const mayStayOpen = (
  { allowInconclusive }: Pick<Scope, 'allowInconclusive'>,
  least: BaselineShown | undefined,
) => Math.max(allowInconclusive, least?.undecided ?? 0);

/** True if the deadline of a run came before all was tried. */
export const isOutOfTime = (part: Pick<ConformanceReport, 'results'> | null): boolean =>
  part?.results.some(({ reason }) => reason?.includes(OUT_OF_TIME) === true) === true;

/** The most frequent reason for open results, `because …` or `mostly because …`, in one line, or empty; that a run was interrupted is told with its end. What waits for another counts for that one's reason. */
export function mostReason(results: readonly ConformanceResult[]): string {
  const root = rootOf(results);
  const open = results.filter(({ verdict }) => isOpen(verdict));
  const reasons = open
    .map((result) => root(result) ?? result)
    .filter(({ verdict, reason }) => verdict !== 'fail' && reason !== undefined && reason !== INTERRUPTED);
  // The same address fails alike, whatever it is asked for.
  const [most] = [...groupBy(reasons, ({ reason = '' }) => reason.replace(/\?\S*/, ''))].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  if (most === undefined) return '';
  const families = new Set(most[1].map(({ family }) => family));
  return `${open.length === most[1].length ? 'because' : 'mostly because'} ${short(withoutIds(most[1][0]?.reason ?? ''), 200)} (${some([...families], 2)})`;
}

const each = (results: readonly ConformanceResult[], pick: (result: ConformanceResult) => string) => [
  ...new Set(results.map(pick)),
];

/** What stands for a need where there is none: the check asks for something that did not come up. */
const NOTHING = 'nothing, it does not apply';

/**
 * The results that were not tested, by what would make them testable (`--mode own-data`, `a second record with another description`),
 * the most frequent need first; with why they were not, each reason once.
 */
export function untested({ conformance }: Pick<Report, 'conformance'>) {
  const results = (conformance?.results ?? []).filter(({ verdict }) => isUntested(verdict));
  const needOf = ({ verdict, needs, reason = 'no reason is recorded' }: ConformanceResult) =>
    verdict === 'not-applicable' ? NOTHING : (needs ?? reason);
  return [...groupBy(results, needOf)]
    .map(([needs, own]) => ({
      needs,
      families: each(own, ({ family }) => family),
      checks: each(own, ({ checkId }) => checkId),
      reasons: each(own, ({ reason }) => reason ?? '').filter((reason) => reason !== ''),
      results: own,
    }))
    .sort((a, b) => b.results.length - a.results.length || a.needs.localeCompare(b.needs, 'en'));
}

/** Number of results that the target cannot show; what a mode rules out is said apart. */
export const hiddenByTarget = (report: Pick<Report, 'conformance'>): number =>
  untested(report)
    .filter(({ needs }) => needs !== NOTHING && !needs.startsWith('--mode '))
    .reduce((sum, { results }) => sum + results.length, 0);

/** One line for each need: `a second record: 3 results in node (filter/operator, sort/field)`. */
export const untestedLines = (report: Pick<Report, 'conformance'>): readonly string[] =>
  untested(report).map(
    ({ needs, families, checks, results }) =>
      `${needs}: ${counted(results.length, 'result')} in ${some(families, 3)} (${some(checks, 3)})`,
  );
