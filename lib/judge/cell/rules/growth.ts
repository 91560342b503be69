import type { CellFacts } from '../../../records/load/load.ts';
import type { CellLimits } from '../limits.ts';
import type { CellWindow } from '../window.ts';

/** Standard deviations of the number of arrivals that chance may add to a queue. */
const DEVIATIONS = 2;

/**
 * Growth of the number in flight that says nothing: 20 ms of arrivals, and five transactions at least. Poisson arrivals come in crowds
 * that any target has to work off, so that what chance adds to their number over the window is allowed as well.
 */
export function allowedGrowth(
  { targetPerSecond, arrivals }: CellFacts['plan'],
  window: CellWindow,
  limits: CellLimits,
): number {
  const usual = Math.max(limits.growthLeast, limits.growthSeconds * targetPerSecond);
  return arrivals === 'poisson' ? Math.max(usual, DEVIATIONS * Math.sqrt(window.count)) : usual;
}
