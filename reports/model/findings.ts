import { groupBy } from '../../lib/group-by.ts';
import { isExpected } from '../../lib/judge/conformance/baseline/known.ts';
import type { Cause } from '../../lib/records/cause.ts';
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
  /** Probable cause of a failure; `result` is its example. */
  readonly cause: Cause | undefined;
  /** Further results of the cause, or of the same check with the same verdict and the same observation. */
  readonly alike: readonly ResultReport[];
}

const WORST_FIRST: readonly Verdict[] = ['fail', 'error', 'inconclusive', 'blocked', 'warn'];

/** What results have in common that stand as one finding. */
function groupOf(result: ResultReport, cause: Cause | undefined): string {
  const { verdict, checkId, expected, observed, reason, requirement, known, flaky } = result;
  if (cause !== undefined) return JSON.stringify([verdict, cause.id, known?.outcome]);
  return JSON.stringify([verdict, checkId, requirement, expected, observed, reason, known, flaky]);
}

/** Everything that is neither proven good nor merely recorded, worst first, what was expected last; each cause once. */
export function findingsOf(
  { results, causes }: { readonly results: readonly ResultReport[]; readonly causes: readonly Cause[] },
  catalogue: Catalogue,
): readonly Finding[] {
  const requirements = new Map(catalogue.requirements.map((requirement) => [requirement.id, requirement]));
  const causeOf = new Map(causes.flatMap((cause) => cause.results.map((key) => [key, cause] as const)));
  const open = results
    .filter(({ verdict }) => WORST_FIRST.includes(verdict))
    .map((result) => ({ result, cause: result.verdict === 'fail' ? causeOf.get(resultKey(result)) : undefined }));
  const place = (result: ResultReport) =>
    WORST_FIRST.indexOf(result.verdict) + (isExpected(result) ? WORST_FIRST.length : 0);
  const ordered = [...groupBy(open, ({ result, cause }) => groupOf(result, cause)).values()].flatMap((group) => {
    // A failure that passed when it was tried again is the poorer example.
    const [first, ...alike] = [...group].sort(
      (a, b) => Number(a.result.flaky ?? false) - Number(b.result.flaky ?? false),
    );
    return first === undefined ? [] : [{ ...first, alike: alike.map(({ result }) => result) }];
  });
  return ordered
    .sort(
      (a, b) =>
        place(a.result) - place(b.result) ||
        (b.cause === undefined ? 0 : b.alike.length) - (a.cause === undefined ? 0 : a.alike.length) ||
        a.result.requirement.localeCompare(b.result.requirement, 'en'),
    )
    .map(({ result, cause, alike }, index) => ({
      key: resultKey(result),
      anchor: `finding-${index + 1}`,
      ...{ result, cause, alike },
      requirement: requirements.get(result.requirement),
    }));
}
