import { readPool } from '../../lib/client/anc/pool.ts';
import type { PoolSpec } from '../../lib/client/anc/pool-spec.ts';
import type { NamedPolicyPool } from '../../load/plan/named-pool.ts';
import { checkNeeds, POOL } from './needs.ts';

/** The pool and the policy, both named outright: there is no default for what may be quarantined. Throws `UsageError`. */
export function requiredPool(options: Partial<PoolSpec>): NamedPolicyPool {
  const { endpoints, policy } = options;
  checkNeeds(options, POOL);
  if (endpoints === undefined || policy === undefined) throw new Error('unreachable');
  return {
    spec: endpoints,
    pool: readPool(endpoints, { allowForeign: options.allowForeignEndpoints === true }),
    policy,
  };
}
