import type { NamedPool } from '../../lib/client/anc/pool.ts';
import { PROFILES, type ProfileName } from '../../lib/contract/anc.ts';
import { UsageError } from '../../lib/errors.ts';
import { duration } from '../../lib/numbers.ts';
import { checkAddresses, checkPolicy } from '../plan/limits.ts';
import type { NamedPolicyPool } from '../plan/named-pool.ts';
import { type MetricsSource, readMetrics } from '../run/metrics.ts';
import { mostTime } from './phases.ts';
import type { SearchOptions } from './search.ts';
import type { WholeCapacitySpec } from './spec.ts';
import { highestRate } from './step-cell.ts';

/** A search as it will go, before anything is sent. */
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

/** Plans a search. Sends nothing. Throws `UsageError` where it cannot be carried out. */
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
    const message = `${pool.size} endpoints allow steps of at most ${Math.max(highest, 0)}/s`;
    throw new UsageError('pool-too-small', message, {
      hint: `name at least ${Math.ceil(start * 8)}: each arrival of a step takes an endpoint of its own`,
    });
  }
  const search: SearchOptions = {
    start,
    lowest: Math.min(LOWEST_PER_SECOND, highest),
    highest,
    tolerance: TOLERANCE,
    steps: MOST_STEPS,
  };
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
