import type { Exchange } from '../../../../lib/client/types.ts';
import { ancFields } from '../../../../lib/wire/anc.ts';
import { walkList } from '../../../../lib/wire/list-walk.ts';
import { isTaken } from '../../../kit/anc/taken.ts';
import type { CheckContext, SharedScope } from '../../../kit/check.ts';
import { requesterOf } from '../../../kit/list/list-reader.ts';
import { noteApplies } from '../../anc/note-applies.ts';

/** Endpoints of a survey: more than a page of default size, where the pool has as many to spare. */
const ENDPOINTS = 24;
/** Pages of the list of endpoints that are looked through for those of the survey. */
const MOST_PAGES = 8;

/** Pools with fewer endpoints are left to other checks. */
export const LEAST_POOL = 4 * ENDPOINTS;

/** Endpoints of the pool that only surveys use: from its middle; other checks have its beginning and its end. */
export function surveyEndpoints({ run }: Pick<CheckContext, 'run'>) {
  const { pool } = run.endpoints ?? {};
  if (pool === undefined || pool.size < LEAST_POOL) return [];
  return Array.from({ length: ENDPOINTS + 8 }, (_, index) => pool.at(Math.floor(pool.size / 2) + index));
}

/** Ids of the list of endpoints now; undefined where it cannot be read to its end. */
export async function endpointIds(scope: Pick<SharedScope, 'send' | 'follow'>): Promise<readonly string[] | undefined> {
  const walk = await walkList(requesterOf(scope), { list: { size: 50 } }, { pages: MOST_PAGES });
  return walk.refused === undefined && walk.cut === undefined ? walk.ids : undefined;
}

/** Puts policies on the endpoints of a survey, each as long as it lives, and gives the ids of their records. */
export async function applyPolicies(context: CheckContext, scope: SharedScope): Promise<readonly string[]> {
  const policies = context.run.endpoints?.policies ?? [];
  const before = await endpointIds(scope);
  if (before === undefined) return [];
  const applied = new Map<string, Exchange>();
  const endpoints = surveyEndpoints(context).slice(0, ENDPOINTS);
  // Neither upwards nor downwards: an order that nobody sorted shows then.
  const mixed = [...endpoints.filter((_, at) => at % 2 === 1), ...endpoints.filter((_, at) => at % 2 === 0).reverse()];
  for (const [index, { macAddress }] of mixed.entries()) {
    const policyName = policies[index % policies.length] ?? '';
    const answer = await scope.send('apply', { fields: ancFields('apply-by-mac', { macAddress, policyName }) });
    if (!isTaken(context, 'apply', answer)) continue;
    applied.set(macAddress, answer);
    scope.onRelease(async () => {
      await scope.send('clear', { fields: ancFields('clear-by-mac', { macAddress }) });
    });
  }
  const fresh = await context.eventually(async () => {
    const now = (await endpointIds(scope)) ?? [];
    const added = now.filter((id) => !before.includes(id));
    return added.length >= applied.size ? added : undefined;
  });
  await noteApplies({ ...context, ...scope }, applied, fresh !== undefined);
  return fresh ?? [];
}
