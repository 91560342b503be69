import { MOST_SCHEDULED } from '../../lib/wire/arrivals.ts';
import type { CapacityPlan } from './plan-capacity.ts';
import { endpointsNeeded, type StepRequest } from './step-cell.ts';

/** The overload and the rate after it, as shares of the sustained rate. */
const [OVER, AFTER] = [1.2, 0.7] as const;
/** Seconds of the rate that is come back to, before the overload: they say what is usual. */
const USUAL_SECONDS = 5;
/** After the overload the cell lasts for so many times its length. */
const LASTING = 3;
/** Shorter overloads say nothing of a percentile. */
const LEAST_SECONDS = 2;

/** Of several rates, with the seconds of all of them. */
type RecoveryCell = StepRequest & Required<Pick<StepRequest, 'seconds' | 'stretches'>>;

/**
 * An overload of the sustained rate with the rate before and after it, as long as the pool allows; null where none was asked for, the
 * pool is too small for any, or the overload is above the highest rate that may be offered.
 */
export function recoveryCell(sustained: number, { spec, search, pool }: CapacityPlan): RecoveryCell | null {
  const [over, after] = [Math.round(OVER * sustained), Math.max(1, Math.round(AFTER * sustained))];
  const usual = { seconds: USUAL_SECONDS, ratePerSecond: after };
  if (over > search.highest) return null;
  for (let seconds = spec.recoverySeconds; seconds >= LEAST_SECONDS; seconds -= 1) {
    const stretches = [usual, { seconds, ratePerSecond: over }, { seconds: LASTING * seconds, ratePerSecond: after }];
    const needed = endpointsNeeded(spec.connections, after, stretches);
    if (needed > Math.min(pool.size, MOST_SCHEDULED)) continue;
    const all = USUAL_SECONDS + (1 + LASTING) * seconds;
    return { purpose: 'recovery', near: true, ratePerSecond: after, seconds: all, stretches };
  }
  return null;
}
