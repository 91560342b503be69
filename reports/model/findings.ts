import { groupBy } from '../../lib/group-by.ts';
import { isExpected } from '../../lib/judge/conformance/baseline/known.ts';
import type { Cause } from '../../lib/records/cause.ts';
import { resultKey } from '../../lib/records/conformance.ts';
import type { ResultReport } from '../../lib/records/report.ts';
import type { Catalogue } from '../../lib/records/run.ts';
import type { Verdict } from '../../lib/records/vocabulary.ts';

type Shared = Pick<Cause, 'id' | 'title'>;

/** Results that a reader has to look at, with the requirement they are about. */
export interface Finding {
  readonly anchor: string;
  readonly result: ResultReport;
  readonly requirement: Catalogue['requirements'][number] | undefined;
  /** What results of several checks share: their probable cause, or the check that they rest on. `result` is the example. */
  readonly shared: Shared | undefined;
  /** Further results that share it, or of the same check with the same verdict. */
  readonly alike: readonly ResultReport[];
}

const WORST_FIRST: readonly Verdict[] = ['fail', 'error', 'inconclusive', 'blocked', 'warn'];

function sharedBy(result: ResultReport, causes: ReadonlyMap<string, Cause>): Shared | undefined {
  if (result.verdict === 'fail') return causes.get(resultKey(result));
  const [first] = result.verdict === 'blocked' ? (result.blockedBy?.split('|') ?? []) : [];
  return first === undefined ? undefined : { id: first, title: `waits for ${first} to hold` };
}

function groupOf(result: ResultReport, shared: Shared | undefined): string {
  const { verdict, checkId, expected, observed, onlyIf, reason, requirement, known, flaky } = result;
  if (shared !== undefined) return JSON.stringify([verdict, shared.id, known?.outcome]);
  if (verdict === 'inconclusive' || verdict === 'blocked') return JSON.stringify([verdict, checkId, known?.outcome]);
  return JSON.stringify([verdict, checkId, requirement, expected, observed, onlyIf, reason, known, flaky]);
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
    .map((result) => ({ result, shared: sharedBy(result, causeOf) }));
  const place = (result: ResultReport) =>
    WORST_FIRST.indexOf(result.verdict) + (isExpected(result) ? WORST_FIRST.length : 0);
  const ordered = [...groupBy(open, ({ result, shared }) => groupOf(result, shared)).values()].flatMap((group) => {
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
        (b.shared === undefined ? 0 : b.alike.length) - (a.shared === undefined ? 0 : a.alike.length) ||
        a.result.requirement.localeCompare(b.result.requirement, 'en'),
    )
    .map(({ result, shared, alike }, index) => ({
      anchor: `finding-${index + 1}`,
      ...{ result, shared, alike },
      requirement: requirements.get(result.requirement),
    }));
}
