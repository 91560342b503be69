import { holdingsOf, landedOutside, MOST_NEW, walked } from '../../lib/client/anc/look.ts';
import { holdingTotal, type SeenHoldings, UnreadableState } from '../../lib/client/anc/state.ts';
import { UsageError } from '../../lib/errors.ts';
import { counted } from '../../lib/text.ts';
import { type LoadContext, reachableOf } from './context.ts';

const NAMED = 3;

export function reachableEndpoints(context: LoadContext): readonly number[] {
  return [...new Set(context.plan.cells.flatMap(reachableOf))];
}

async function walkPool({ client, plan }: LoadContext): Promise<SeenHoldings> {
  const total = await holdingTotal(client);
  return walked(client, (mac) => plan.pool.indexOf(mac) !== undefined, total);
}

/** Times that a list which cannot be read to its end is walked again. */
const MOST_AGAIN = 3;
const AGAIN_MS = 500;

/** Looks for endpoints that the load did not name and that were free before, in the pool and outside; none if nobody walked the list. */
export async function strayHolders(context: LoadContext) {
  const { plan, state } = context;
  const before = state.before;
  const walk = () => (before === undefined ? { held: [], ids: [], isWhole: true } : walkPool(context));
  let seen = await walk();
  // Nodes that learn of clears one after the other have other pages, and a link may lead to one that is there no more.
  for (let again = 0; !seen.isWhole && again < MOST_AGAIN; again += 1) {
    await context.clock.sleep(AGAIN_MS);
    seen = await walk();
  }
  const { held, ids, isWhole } = seen;
  const named = new Set(state.touched().map((index) => plan.pool.at(index).macAddress));
  const fresh = [...held].filter(([mac]) => before?.macs.has(mac) === false);
  const newIds = ids.filter((id) => before?.ids.has(id) === false);
  const outside = await landedOutside(context.client, newIds);
  return {
    /** Those that hold the policy of the load: it went to another endpoint than the one that was named. */
    indexes: fresh.flatMap(([mac, policy]) => (policy === plan.policy ? (plan.pool.indexOf(mac) ?? []) : [])),
    /** Those of which nobody can tell whose policy they hold: another one, one without a name, or that of the load outside of the pool. By MAC address. */
    others: new Map([...fresh.filter(([mac, policy]) => policy !== plan.policy && !named.has(mac)), ...outside]),
    /** New records beyond those that were read one by one; 0 if none of these is of the load. */
    unread: outside.size === 0 ? 0 : Math.max(0, newIds.length - MOST_NEW),
    /** False if the pool was walked before the load, and cannot be any more. */
    isKnown: isWhole,
  };
}

/** Those of the endpoints whose policy a look showed. Throws `UnreadableState` if one of them was not seen. */
function held(
  { plan }: LoadContext,
  indexes: readonly number[],
  seen: ReadonlyMap<string, string | null>,
  isWhole = false,
) {
  const found = new Map<number, string>();
  for (const index of indexes) {
    const { macAddress } = plan.pool.at(index);
    const policy = seen.get(macAddress);
    if (policy === undefined && !isWhole)
      throw new UnreadableState(`whether ${macAddress} holds a policy was not to be seen`);
    if (typeof policy === 'string') found.set(index, policy);
  }
  return found;
}

/** Those of the endpoints that hold a policy, with its name. Throws `UnreadableState` if one of them was not seen. */
export async function holdersOf(
  context: LoadContext,
  indexes: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const macs = indexes.map((index) => context.plan.pool.at(index).macAddress);
  const { holdings } = await holdingsOf(context.client, macs, { signal: context.signal });
  return held(context, indexes, holdings);
}

/** What the endpoints hold before anything is written. Throws `UsageError` if that is a policy, unless the plan takes over. */
export async function readInitialState(context: LoadContext): Promise<void> {
  const { held: seen, ids, isWhole } = await walkPool(context);
  const inPool = isWhole ? seen : undefined;
  if (inPool !== undefined) context.state.before = { macs: new Set(inPool.keys()), ids: new Set(ids) };
  const reachable = reachableEndpoints(context);
  const before = inPool === undefined ? await holdersOf(context, reachable) : held(context, reachable, inPool, true);
  context.state.isCompared = true;
  if (context.plan.spec.takeOver) {
    for (const index of before.keys()) context.state.set(index, 'unknown');
    context.state.takenOver = before.size;
  }
  if (before.size === 0 || context.plan.spec.takeOver) return;
  const named = [...before]
    .slice(0, NAMED)
    .map(([index, policy]) => `${context.plan.pool.at(index).macAddress} holds "${policy}"`);
  throw new UsageError(
    'endpoint-holds-policy',
    `${counted(before.size, 'endpoint')} of the pool already ${before.size === 1 ? 'holds' : 'hold'} a policy: ${named.join(', ')}`,
    { hint: 'clear them, use other endpoints, or add --take-over; their policies are then lost' },
  );
}
