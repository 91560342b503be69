import { count, percent } from '../../numbers.ts';
import type { CellFacts } from '../../records/load/load.ts';

/** A cell that touches less than this share of its profile's population says nothing of its size. */
const LABEL_SHARE = 0.1;

/** How much of the population that the profile stands for a cell touched, in words. */
export function touchedWords({ plan, counts, ramp }: Pick<CellFacts, 'plan' | 'counts' | 'ramp'>): string {
  const touched = Math.min(plan.poolSize, counts.started + (ramp === undefined ? 0 : ramp.arrivals - ramp.dropped));
  const share = plan.sessions === 0 ? 1 : touched / plan.sessions;
  const label = share < LABEL_SHARE ? '; the profile is a label only' : '';
  return `touched ${count(touched)} of ${count(plan.sessions)} (${percent(share)})${label}`;
}
