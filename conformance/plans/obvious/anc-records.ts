import type { EndpointPool, Exchange } from '../../../lib/client/types.ts';
import { ANC_OPERATIONS } from '../../../lib/contract/anc.ts';
import { pageOf, walkList } from '../../../lib/wire/list-walk.ts';
import { isTaken, noteApplies, sendAnc } from '../../kit/anc.ts';
import type { CheckContext, SharedScope } from '../../kit/check.ts';
import { Blocked, NotTestable } from '../../kit/fault.ts';
import { requesterOf } from '../../kit/record/finder.ts';

/** Endpoints that a list group puts a policy on. */
const ENDPOINTS = 12;

/** Step through the pool, so that the addresses differ in more than their last digit. */
const STRIDE = 257;

/** Where a pool's addresses are looked for, at most: pages of the whole list. */
const SCAN_PAGES = 5;

/** Addresses of the pool that the list group uses: from its end, so that other checks have its beginning. */
function seededEndpoints(pool: EndpointPool): readonly string[] {
  const count = Math.min(ENDPOINTS, Math.floor(pool.size / 2));
  const stride = pool.size > ENDPOINTS * STRIDE ? STRIDE : 1;
  return Array.from({ length: count }, (_, index) => pool.at(pool.size - 1 - index * stride).macAddress);
}

async function applyOne(scope: SharedScope, macAddress: string, policyName: string): Promise<Exchange> {
  const exchange = await sendAnc(scope, 'apply-by-mac', { macAddress, policyName });
  scope.onRelease(async () => void (await sendAnc(scope, 'clear-by-mac', { macAddress })));
  return exchange;
}

/** Ids of list entries that may be those of the addresses: found by filter where it works, else among the first pages. */
async function candidateIds(scope: SharedScope, field: string, addresses: readonly string[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const value of addresses) {
    const answer = await scope.send('list', { list: { filters: [{ field, operator: 'EQ', value }] } });
    for (const { id } of pageOf(answer)?.items.slice(0, 2) ?? []) ids.add(id);
  }
  if (ids.size >= addresses.length) return ids;
  const whole = await walkList(requesterOf(scope), {}, { pages: SCAN_PAGES });
  for (const id of whole.ids) ids.add(id);
  return ids;
}

/** Applies a policy to endpoints of the pool and gives the ids of records that may be theirs. Throws `Blocked` where none took it. */
export async function makeAncRecords(
  scope: SharedScope,
  context: CheckContext,
  field: string,
): Promise<{ readonly addresses: readonly string[]; readonly ids: readonly string[] }> {
  const { endpoints } = context.run;
  const policy = endpoints?.policies[0];
  const wanted = endpoints === undefined ? [] : seededEndpoints(endpoints.pool);
  if (policy === undefined || wanted.length === 0)
    throw new NotTestable('no endpoint pool and policy were given to the run', '--endpoints and --policy');
  const applied = new Map<string, Exchange>();
  let last: Exchange | undefined;
  for (const macAddress of wanted) {
    last = await applyOne(scope, macAddress, policy);
    if (isTaken(context, 'apply', last)) applied.set(macAddress, last);
  }
  const addresses = [...applied.keys()];
  if (addresses.length === 0) {
    throw new Blocked(`${ANC_OPERATIONS['apply-by-mac'].specName} was refused with status ${last?.status}`);
  }
  let ids: readonly string[] = [];
  const all = await context.eventually(async () => {
    ids = [...(await candidateIds(scope, field, addresses))];
    return ids.length >= addresses.length ? ids : undefined;
  });
  await noteApplies({ ...context, ...scope }, applied, all !== undefined);
  return { addresses, ids };
}
