import { groupBy } from '../../lib/group-by.ts';
import { isExpected } from '../../lib/judge/conformance/baseline/known.ts';
import { resultKey } from '../../lib/records/conformance.ts';
import type { ResultReport } from '../../lib/records/report.ts';
import type { Catalogue } from '../../lib/records/run.ts';
import type { Verdict } from '../../lib/records/vocabulary.ts';

/** Results that a reader has to look at, with the requirement they are about. */
export interface Finding {
  readonly key: string;
  /** Anchor in the page; unique. */
  readonly anchor: string;
  readonly result: ResultReport;
  readonly requirement: Catalogue['requirements'][number] | undefined;
  /** Further results of the same check with the same verdict and the same observation. */
  readonly alike: readonly ResultReport[];
}

const WORST_FIRST: readonly Verdict[] = ['fail', 'error', 'inconclusive', 'blocked', 'warn'];

/** Everything that is neither proven good nor merely recorded, worst first, what was expected last; the same cause in several families once. */
export function findingsOf(results: readonly ResultReport[], catalogue: Catalogue): readonly Finding[] {
  const requirements = new Map(catalogue.requirements.map((requirement) => [requirement.id, requirement]));
  const open = results.filter(({ verdict }) => WORST_FIRST.includes(verdict));
  const same = groupBy(open, ({ checkId, verdict, expected, observed, reason, requirement, known, flaky }) =>
    JSON.stringify([verdict, checkId, requirement, expected, observed, reason, known, flaky]),
  );
  const place = (result: ResultReport) =>
    WORST_FIRST.indexOf(result.verdict) + (isExpected(result) ? WORST_FIRST.length : 0);
  const ordered = [...same.values()].flatMap(([first, ...alike]) => (first === undefined ? [] : [{ first, alike }]));
  return ordered
    .sort((a, b) => place(a.first) - place(b.first) || a.first.requirement.localeCompare(b.first.requirement, 'en'))
    .map(({ first, alike }, index) => ({
      key: resultKey(first),
      anchor: `finding-${index + 1}`,
      result: first,
      requirement: requirements.get(first.requirement),
      alike,
    }));
}
