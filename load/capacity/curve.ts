import { PROFILES } from '../../lib/contract/anc.ts';
import { capacityAnswer } from '../../lib/judge/capacity/capacity-answer.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { type Arrivals, MOST_SCHEDULED } from '../../lib/wire/arrivals.ts';
import type { CapacityPlan } from './plan-capacity.ts';
import { mostSeconds, type StepRequest, stretchesNeeded } from './step-cell.ts';

const CURVE_SHARES = [0.1, 0.25, 0.5, 0.7, 0.9, 1, 1.2] as const;
/** The overload and the rate after it, as shares of the sustained rate. */
const [OVER, AFTER] = [1.2, 0.7] as const;
/** Seconds of the rate that is come back to, before the overload: they say what is usual. */
const USUAL_SECONDS = 5;
/** The overload is no longer than this: what comes after it is what is asked. */
const MOST_OVERLOAD_SECONDS = 10;
/** After the overload the cell lasts for so many times its length. */
const LASTING = 3;
/** Shorter cells say nothing of a percentile. */
const LEAST_SECONDS = 2;

/** One cell of the curve: a constant rate, or an overload with the rate before and after it. */
type CurveCell = Omit<StepRequest, 'near'> & Required<Pick<StepRequest, 'seconds' | 'arrivals'>>;

/** The rate that the search claims; null where none held. */
export function sustainedOf(steps: readonly CellReport[], { profile }: CapacityPlan): number | null {
  return steps.length === 0 ? null : capacityAnswer(steps, PROFILES[profile].ancPerSecond).heldPerSecond;
}

function recoveryCell(sustained: number, { spec, search, pool }: CapacityPlan): readonly CurveCell[] {
  const [over, after] = [Math.round(OVER * sustained), Math.max(1, Math.round(AFTER * sustained))];
  const usual = { seconds: USUAL_SECONDS, ratePerSecond: after };
  for (let seconds = Math.min(spec.curveSeconds, MOST_OVERLOAD_SECONDS); seconds >= LEAST_SECONDS; seconds -= 1) {
    const stretches = [usual, { seconds, ratePerSecond: over }, { seconds: LASTING * seconds, ratePerSecond: after }];
    const needed = stretchesNeeded(spec.connections, after, stretches);
    if (over > search.highest || needed > Math.min(pool.size, MOST_SCHEDULED)) continue;
    return [
      {
        purpose: 'recovery',
        ratePerSecond: after,
        seconds: USUAL_SECONDS + (1 + LASTING) * seconds,
        arrivals: 'even',
        stretches,
      },
    ];
  }
  return [];
}

/**
 * Cells from a tenth of the sustained rate to a fifth above it, even, at random or both, and then the recovery from an overload. Rates
 * above the highest that may be offered are left out, and cells are as long as the pool allows.
 */
export function curveCells(sustained: number, plan: CapacityPlan): readonly CurveCell[] {
  const { spec, search, pool } = plan;
  const { curve, curveSeconds } = spec;
  if (curve === 'none') return [];
  const kinds: readonly Arrivals[] = curve === 'both' ? ['even', 'poisson'] : ['even'];
  const shares = curve === 'recovery' ? [] : CURVE_SHARES;
  const rates = [...new Set(shares.map((share) => Math.max(1, Math.round(share * sustained))))];
  const cells = rates
    .filter((rate) => rate <= search.highest)
    .flatMap((ratePerSecond) => {
      const most = Math.min(
        mostSeconds(pool.size, spec.connections, ratePerSecond),
        Math.floor(MOST_SCHEDULED / ratePerSecond) - 1,
      );
      const seconds = Math.min(curveSeconds, most);
      return seconds < LEAST_SECONDS
        ? []
        : kinds.map((arrivals) => ({ purpose: 'curve' as const, ratePerSecond, seconds, arrivals }));
    });
  return [...cells, ...recoveryCell(sustained, plan)];
}
