import { groupBy } from '../../group-by.ts';
import { count, percent } from '../../numbers.ts';
import type { CellFacts, CellReport } from '../../records/load/load.ts';
import type { Report } from '../../records/report.ts';

/** A cell whose endpoints are a smaller share of a population that nobody knows says nothing of its size. */
const LEAST_SHARE = 0.1;

/** The target of a run: an embedded deployment is started with the population of the profile, so it is known. */
type Target = Pick<Report['run']['target'], 'embedded'>;

type Touching = Pick<CellFacts, 'plan' | 'counts' | 'ramp'>;

const touchedIn = ({ plan, counts, ramp }: Touching): number =>
  Math.min(plan.poolSize, counts.started + (ramp === undefined ? 0 : ramp.arrivals - ramp.dropped));

const shareOf = (facts: Touching): number => (facts.plan.sessions === 0 ? 1 : touchedIn(facts) / facts.plan.sessions);

/** True for a cell that touched too little of a population to speak for a deployment of its size. */
export const isTooFew = (facts: Touching, { embedded }: Target): boolean => !embedded && shareOf(facts) < LEAST_SHARE;

/** How much of the population that the profile stands for a cell touched, in words. */
export function touchedWords(facts: Touching, target: Target): string {
  const { plan } = facts;
  const few = isTooFew(facts, target) ? '; too few to speak for a deployment of this size' : '';
  return `used ${count(touchedIn(facts))} of ${count(plan.sessions)} endpoints (${percent(shareOf(facts))})${few}`;
}

/** The same for the cells of each profile: the smallest share, which bounds what its name means. */
export const touchedByProfile = (cells: readonly CellReport[], target: Target): readonly string[] =>
  [...groupBy(cells, ({ profile }) => profile)].flatMap(([profile, own]) => {
    const least = own.toSorted((a, b) => a.facts.counts.started - b.facts.counts.started)[0];
    return least === undefined ? [] : [`${profile}: ${touchedWords(least.facts, target)}`];
  });
