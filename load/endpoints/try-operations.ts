import { ANC_OPERATION_NAMES } from '../../lib/contract/anc.ts';
import type { NamedPolicyPool } from '../plan/named-pool.ts';
import { type LoadPlan, reachingPlan } from '../plan/plan.ts';

const AMONG = 64;

/** A plan that reaches the first endpoints of a pool with every operation, to try each of them once. */
export function trialPlan(named: NamedPolicyPool): LoadPlan {
  const { pool } = named;
  const hasAddresses = pool.at(0).ipAddress !== undefined;
  const operations = ANC_OPERATION_NAMES.filter((name) => hasAddresses || !name.endsWith('-ip'));
  return reachingPlan({ operations }, named, Math.min(pool.size, AMONG));
}
