import type { ConformanceResult } from '../../records/conformance.ts';
import { Verdict } from '../../records/vocabulary.ts';

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

/** Results that this target or this run could not show. */
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
