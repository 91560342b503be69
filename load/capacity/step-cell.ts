import { PROFILES } from '../../lib/contract/anc.ts';
import type { StepPurpose } from '../../lib/judge/capacity/trial.ts';
import { MOST_SCHEDULED, type Stretch, TAIL_MS } from '../../lib/wire/scenario.ts';
import { type Held, type LoadContext, OVERRUN_SECONDS } from '../endpoints/context.ts';
import type { PlannedCell } from '../plan/plan.ts';
import type { CapacityPlan } from './plan-capacity.ts';

/** Measured seconds of a step: few far from the knee, where the answer is plain, more near it. */
export const STEP_SECONDS = { far: 3, near: 5, most: 15 } as const;
/** Arrivals near the knee of which 2.5 % too many make a queue that grows visibly. */
const NEAR_ARRIVALS = 500;
const MOST_WARMUP_SECONDS = 10;
/** Beyond its arrivals a step takes so long: k6, preparation, looks and the list. */
export const OVERHEAD_SECONDS = 4;
/** A confirmation is over so long after the first arrival that was not served: by then it shows what the target does instead. */
export const STOP_AFTER_SECONDS = 20;

export interface StepRequest {
  readonly ratePerSecond: number;
  readonly purpose: StepPurpose;
  /** Close to the knee, so that it is measured longer. */
  readonly near: boolean;
  /** Measured seconds, where they are not those of a step. */
  readonly seconds?: number;
  /** Rates after the warm-up, where there is more than one; the warm-up has the first. */
  readonly stretches?: readonly Stretch[];
}

type StepShape = Omit<StepRequest, 'purpose'> &
  Pick<PlannedCell, 'profile' | 'operation' | 'connections'> &
  Required<Pick<PlannedCell, 'step'>>;

/** Measured seconds of a step; near the knee a low rate needs more of them. */
export function stepSeconds(near: boolean, ratePerSecond: number): number {
  const { far, near: least, most } = STEP_SECONDS;
  return near ? Math.min(Math.max(least, Math.ceil(NEAR_ARRIVALS / ratePerSecond)), most) : far;
}

/** Seconds until every connection has made its handshake. */
function warmupOf(connections: number, ratePerSecond: number): number {
  return Math.min(Math.ceil(connections / ratePerSecond), MOST_WARMUP_SECONDS);
}

/** Endpoints for a step of these rates and the warm-up at `ratePerSecond` before it: one for each arrival, with room for an overrun. */
function endpointsNeeded(connections: number, ratePerSecond: number, stretches: readonly Stretch[]): number {
  const most = Math.max(...stretches.map((stretch) => stretch.ratePerSecond));
  const arrivals = stretches.reduce((sum, stretch) => sum + Math.ceil(stretch.seconds * stretch.ratePerSecond), 0);
  const besides = Math.ceil(most * (TAIL_MS / 1000 + OVERRUN_SECONDS));
  return warmupOf(connections, ratePerSecond) * ratePerSecond + arrivals + besides + 1;
}

export const endpointsNear = (connections: number, ratePerSecond: number): number =>
  endpointsNeeded(connections, ratePerSecond, [{ seconds: stepSeconds(true, ratePerSecond), ratePerSecond }]);

export function highestRate(poolSize: number, connections: number): number {
  let rate = Math.floor((poolSize - 1) / (1 + STEP_SECONDS.near + TAIL_MS / 1000 + OVERRUN_SECONDS));
  while (rate > 0 && endpointsNear(connections, rate) > poolSize) rate -= 1;
  return rate;
}

/** Longest step at a rate for which a pool is large enough; 1 if it is for none. */
export function mostSeconds(poolSize: number, connections: number, ratePerSecond: number): number {
  const besides = warmupOf(connections, ratePerSecond) + TAIL_MS / 1000 + OVERRUN_SECONDS;
  return Math.max(1, Math.floor((poolSize - 1) / ratePerSecond - besides));
}

/** First of the `size` neighbors with the fewest endpoints in the wrong state: nothing is put right until the pool is used up. */
function freshStretch(poolSize: number, size: number, want: Held, held: (index: number) => Held): number {
  const wrong = (index: number) => (held(index) === want ? 0 : 1);
  let count = 0;
  for (let index = 0; index < size; index += 1) count += wrong(index);
  let [best, least] = [0, count];
  for (let from = 1; from + size <= poolSize && least > 0; from += 1) {
    count += wrong(from + size - 1) - wrong(from - 1);
    if (count < least) [best, least] = [from, count];
  }
  return best;
}

/** A step as a cell, on endpoints that are in the state it starts from, as far as there are any. */
export function stepCell({ plan, state }: LoadContext, shape: StepShape, want: Held, seed: number): PlannedCell {
  const { profile, operation, ratePerSecond, connections, near, step, stretches } = shape;
  const durationSeconds = shape.seconds ?? stepSeconds(near, ratePerSecond);
  const warmupSeconds = warmupOf(connections, ratePerSecond);
  const measured = stretches ?? [{ seconds: durationSeconds, ratePerSecond }];
  const size = Math.min(plan.pool.size, endpointsNeeded(connections, ratePerSecond, measured));
  const offset = freshStretch(plan.pool.size, size, want, state.get);
  return {
    ...{ profile, operation, connections, durationSeconds, warmupSeconds, step },
    ...(step.purpose === 'confirm' ? { stopAfterSeconds: STOP_AFTER_SECONDS } : {}),
    ...(stretches === undefined
      ? {}
      : { stretches: [{ seconds: warmupSeconds, ratePerSecond }, ...stretches].filter(({ seconds }) => seconds > 0) }),
    ...{ sessions: PROFILES[profile].sessions, targetPerSecond: ratePerSecond, bucketSeconds: 1 },
    pool: { offset, size, seed, source: plan.pool.source },
    endpointCount: size - OVERRUN_SECONDS * ratePerSecond,
    reuseSeconds: size / ratePerSecond,
  };
}

/** The overload and the rate after it, as shares of the sustained rate. */
const [OVER, AFTER] = [1.2, 0.7] as const;
/** Seconds of the rate that is come back to, before the overload: they say what is usual. */
const USUAL_SECONDS = 5;
/** After the overload the cell lasts for so many times its length. */
const LASTING = 3;
/** Shorter overloads say nothing of a percentile. */
const LEAST_SECONDS = 2;

type RecoveryCell = StepRequest & Required<Pick<StepRequest, 'seconds' | 'stretches'>>;

/** An overload of the sustained rate with the rate before and after it; null if none was asked for or allowed, or the pool is too small. */
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
