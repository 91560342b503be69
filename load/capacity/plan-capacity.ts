import type { NamedPool } from '../../lib/client/anc/pool.ts';
import { PROFILES, type ProfileName } from '../../lib/contract/anc.ts';
import { UsageError } from '../../lib/errors.ts';
import { count, duration } from '../../lib/text.ts';
import type { NamedPolicyPool } from '../plan/cell-spec.ts';
import { checkAddresses, checkPolicy } from '../plan/limits.ts';
import { type Phase, settingPhase } from '../plan/phases.ts';
import { type MetricsSource, readMetrics } from '../run/metrics.ts';
import type { SearchOptions } from './search.ts';
import type { WholeCapacitySpec } from './spec.ts';
import { highestRate, OVERHEAD_SECONDS, recoveryCell, stepSeconds } from './step-cell.ts';

const USUAL_STEPS = 10;
/** Search and confirmation together take no longer, unless a time is given. */
const MOST_SEARCH_SECONDS = 600;
/** The rate that is expected before anything is known, as a multiple of the published one. */
const EXPECTED = 1.5;

/** Arrivals per second that a target is expected to hold before anything is known. */
export const expectedRate = ({ search }: Pick<CapacityPlan, 'search'>): number =>
  Math.min(EXPECTED * search.start, search.highest);

/** The phases of a search, by the purposes of its steps. Rates are not known before: the times are those of a usual search. */
export function capacityPhases(plan: CapacityPlan): readonly Phase[] {
  const { spec } = plan;
  const expected = expectedRate(plan);
  const near = stepSeconds(true, expected) + OVERHEAD_SECONDS + spec.connections / expected;
  const steps = (name: string, number: number, seconds = near): Phase => ({
    ...{ name, seconds: number * seconds },
    requests: Math.round(number * expected * Math.max(seconds - OVERHEAD_SECONDS, 1)),
  });
  const recovery = recoveryCell(expected, plan);
  const phases = [
    steps('search', USUAL_STEPS),
    steps('confirm', spec.confirmSeconds === 0 ? 0 : 1, spec.confirmSeconds + OVERHEAD_SECONDS),
    {
      name: 'recovery',
      seconds: recovery === null ? 0 : recovery.seconds + OVERHEAD_SECONDS,
      requests: recovery === null ? 0 : Math.round(recovery.seconds * recovery.ratePerSecond),
    },
  ].filter(({ seconds }) => seconds > 0);
  const held = Math.min(plan.pool.size, expected * Math.max(spec.confirmSeconds, stepSeconds(true, expected)));
  return [...phases, ...settingPhase('clear', Math.round(held))];
}

/** Seconds for search and confirmation, for the recovery, and for the whole run: a time that was given has room for all of them. */
export function mostTime(plan: CapacityPlan): Readonly<Record<'search' | 'recovery' | 'run', number>> {
  const of = (wanted: string) => capacityPhases(plan).find(({ name }) => name === wanted)?.seconds ?? 0;
  const recovery = of('recovery');
  const besides = recovery + of('clear');
  const { forSeconds = MOST_SEARCH_SECONDS + besides } = plan.spec;
  return { search: forSeconds - besides, recovery, run: forSeconds };
}

export interface CapacityPlan {
  readonly spec: WholeCapacitySpec;
  readonly profile: ProfileName;
  readonly pool: NamedPool;
  readonly policy: string;
  readonly search: SearchOptions;
  /** Where values of other things are taken from beside the steps. */
  readonly metrics?: MetricsSource;
}

/** Rates below this are no service: the search goes no lower. */
const LOWEST_PER_SECOND = 5;
const TOLERANCE = 0.05;
const MOST_STEPS = 30;
/** In less no search comes to an end. */
const LEAST_SECONDS = 60;

/** Plans a search. Sends nothing. Throws `UsageError` if it cannot be carried out. */
export function planCapacity(
  spec: WholeCapacitySpec,
  profile: ProfileName,
  { pool, policy }: Pick<NamedPolicyPool, 'pool' | 'policy'>,
): CapacityPlan {
  checkPolicy(policy, spec);
  checkAddresses([spec.operation], pool);
  const start = PROFILES[profile].ancPerSecond;
  const highest = Math.min(spec.maxRatePerSecond, highestRate(pool.size, spec.connections));
  if (highest < Math.min(start, spec.maxRatePerSecond)) {
    const message = `${count(pool.size)} endpoints allow steps of at most ${Math.max(highest, 0)}/s`;
    throw new UsageError('pool-too-small', message, {
      hint: `name at least ${Math.ceil(start * 8)}: each arrival of a step takes an endpoint of its own`,
    });
  }
  const lowest = Math.min(LOWEST_PER_SECOND, highest);
  const search: SearchOptions = { start, lowest, highest, tolerance: TOLERANCE, steps: MOST_STEPS };
  const { metrics } = spec;
  const sources = metrics === undefined ? {} : { metrics: readMetrics(metrics) };
  const plan = { spec, profile, pool, policy, search, ...sources };
  const most = mostTime(plan);
  if (most.search < LEAST_SECONDS) {
    const message = `${duration(most.run * 1000)} leave too little for a search: it needs ${duration((most.run - most.search + LEAST_SECONDS) * 1000)}`;
    throw new UsageError('too-short', message, { hint: 'give --for more, or --recovery 0' });
  }
  return plan;
}
