import { type PoolSpec, readPool } from '../../lib/client/anc/pool.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { ancFamily } from '../../lib/wire/anc.ts';
import type { NamedPolicyPool } from '../../load/plan/named-pool.ts';
import { checkNeeds, type Need, POOL } from './needs.ts';

/** The pool and the policy, both named outright: there is no default for what may be quarantined. Throws `UsageError`. */
export function requiredPool(options: Partial<PoolSpec>): NamedPolicyPool {
  const { endpoints, policies = [] } = options;
  checkNeeds(options, POOL);
  const [policy] = policies;
  if (endpoints === undefined || policy === undefined) throw new Error('unreachable');
  return {
    spec: endpoints,
    pool: readPool(endpoints, { allowForeign: options.allowForeignEndpoints === true }),
    policy,
    policies,
  };
}

/** The pool of a load, which applies one policy. Throws `UsageError`. */
export function loadPool(options: Partial<PoolSpec>): NamedPolicyPool {
  const { policies = [] } = options;
  if (policies.length > 1)
    throw new UsageError('one-policy', `a load applies one policy, and --policy names ${policies.length}`, {
      hint: 'keep one --policy; conformance and verify take more',
    });
  return requiredPool(options);
}

type Selected = Partial<PoolSpec> & { readonly families?: readonly string[] | undefined };

/** What a run in the mode needs to put policies on endpoints: nothing if none of its families does that. */
export function poolNeeds(
  mode: Mode,
  { families = Object.keys(FAMILIES), endpoints, policies }: Selected,
): readonly Need[] {
  const appliesPolicies = families.includes(ancFamily(FAMILIES) ?? '');
  const isNamed = endpoints !== undefined || policies !== undefined;
  return mode === 'full' && (appliesPolicies || isNamed) ? POOL : [];
}

/** What a run in the mode may put policies on; undefined if it puts none on any. Throws `UsageError` if it is needed and not named. */
export const poolIn = (mode: Mode, options: Selected): NamedPolicyPool | undefined =>
  poolNeeds(mode, options).length > 0 ? requiredPool(options) : undefined;
