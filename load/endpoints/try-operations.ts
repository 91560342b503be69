import { ANC_OPERATION_NAMES, PROFILES } from '../../lib/contract/anc.ts';
import { abortLimits } from '../plan/abort-rules.ts';
import type { NamedPolicyPool } from '../plan/named-pool.ts';
import type { LoadPlan } from '../plan/plan.ts';
import { loadSpec } from '../plan/spec.ts';

const AMONG = 64;

/** A plan that reaches the first endpoints of a pool with every operation: it is prepared and tried, and no load is made of it. */
export function trialPlan({ pool, policy }: NamedPolicyPool): LoadPlan {
  const size = Math.min(pool.size, AMONG);
  const hasAddresses = pool.at(0).ipAddress !== undefined;
  const operations = ANC_OPERATION_NAMES.filter((name) => hasAddresses || !name.endsWith('-ip'));
  const spec = loadSpec({ operations });
  const cells = operations.map((operation) => ({
    ...{ profile: '60k' as const, operation, connections: 1, targetPerSecond: 1, sessions: PROFILES['60k'].sessions },
    ...{ durationSeconds: 1, warmupSeconds: 0, bucketSeconds: 1, endpointCount: size, reuseSeconds: size },
    pool: { offset: 0, size, seed: 1, source: pool.source },
  }));
  return { spec, pool, policy, abort: abortLimits(spec), disjointChains: false, cells };
}
