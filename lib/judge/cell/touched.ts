import { groupBy } from '../../group-by.ts';
import { count, percent } from '../../numbers.ts';
import type { CellFacts, CellReport } from '../../records/load/load.ts';

/** A cell whose endpoints, with the resident ones, are a smaller share of its profile's population says nothing of its size. */
const LABEL_SHARE = 0.1;

/** How much of the population that the profile stands for a cell touched, in words. */
export function touchedWords({ plan, counts, ramp }: Pick<CellFacts, 'plan' | 'counts' | 'ramp'>): string {
  const touched = Math.min(plan.poolSize, counts.started + (ramp === undefined ? 0 : ramp.arrivals - ramp.dropped));
  const share = plan.sessions === 0 ? 1 : touched / plan.sessions;
  const label =
    share + (plan.resident ?? 0) / Math.max(1, plan.sessions) < LABEL_SHARE
      ? '; too few to speak for a deployment of this size'
      : '';
  const resident = plan.resident === undefined ? '' : `; ${count(plan.resident)} more held a policy meanwhile`;
  return `used ${count(touched)} of ${count(plan.sessions)} endpoints (${percent(share)})${resident}${label}`;
}

/** The same for the cells of each profile: the smallest share, which bounds what its name means. */
export function touchedByProfile(cells: readonly CellReport[]): readonly string[] {
  return [...groupBy(cells, ({ profile }) => profile)].flatMap(([profile, own]) => {
    const least = own.toSorted((a, b) => a.facts.counts.started - b.facts.counts.started)[0];
    return least === undefined ? [] : [`${profile}: ${touchedWords(least.facts)}`];
  });
}
