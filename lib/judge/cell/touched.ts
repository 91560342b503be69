import { groupBy } from '../../group-by.ts';
import { count, percent } from '../../numbers.ts';
import type { CellFacts, CellReport } from '../../records/load/load.ts';
import type { Report } from '../../records/report.ts';

/** A cell whose endpoints, with the resident ones, are a smaller share of a population that nobody knows says nothing of its size. */
const LEAST_SHARE = 0.1;

/** The target of a run: an embedded deployment is started with the population of the profile, so it is known. */
type Target = Pick<Report['run']['target'], 'embedded'>;

/** How much of the population that the profile stands for a cell touched, in words. */
export function touchedWords(
  { plan, counts, ramp }: Pick<CellFacts, 'plan' | 'counts' | 'ramp'>,
  { embedded }: Target,
): string {
  const touched = Math.min(plan.poolSize, counts.started + (ramp === undefined ? 0 : ramp.arrivals - ramp.dropped));
  const share = plan.sessions === 0 ? 1 : touched / plan.sessions;
  const few =
    !embedded && share + (plan.resident ?? 0) / Math.max(1, plan.sessions) < LEAST_SHARE
      ? '; too few to speak for a deployment of this size'
      : '';
  const resident = plan.resident === undefined ? '' : `; ${count(plan.resident)} more held a policy meanwhile`;
  return `used ${count(touched)} of ${count(plan.sessions)} endpoints (${percent(share)})${resident}${few}`;
}

/** The same for the cells of each profile: the smallest share, which bounds what its name means. */
export const touchedByProfile = (cells: readonly CellReport[], target: Target): readonly string[] =>
  [...groupBy(cells, ({ profile }) => profile)].flatMap(([profile, own]) => {
    const least = own.toSorted((a, b) => a.facts.counts.started - b.facts.counts.started)[0];
    return least === undefined ? [] : [`${profile}: ${touchedWords(least.facts, target)}`];
  });
