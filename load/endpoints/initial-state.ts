import pLimit from 'p-limit';
import {
  holdingReader,
  holdingTotal,
  type SeenHoldings,
  seenHoldings,
  UnreadableState,
  WALK_LIMIT,
  walkHoldings,
} from '../../lib/client/anc/state.ts';
import { normalAddress } from '../../lib/client/safety/targets.ts';
import { UsageError } from '../../lib/errors.ts';
import { counted } from '../../lib/numbers.ts';
import { type LoadContext, reachableOf } from './context.ts';

const NAMED = 3;

/** Those of the endpoints that hold a policy, with its name. */
async function holders(
  context: LoadContext,
  indexes: readonly number[],
  total: number | null,
): Promise<ReadonlyMap<number, string>> {
  const { client, plan } = context;
  const found = new Map<number, string>();
  if (total === 0) return found;
  // Fewer records than endpoints: to read them all is cheaper than to ask for each endpoint.
  const all = total !== null && total <= Math.min(WALK_LIMIT, indexes.length) ? await walkHoldings(client) : null;
  const slots = pLimit(client.options.target.connections);
  const holdingOf = holdingReader(client);
  await Promise.all(
    indexes.map((index) =>
      slots(async () => {
        context.signal?.throwIfAborted();
        const { macAddress } = plan.pool.at(index);
        const holding = all === null ? await holdingOf(macAddress) : (all.get(normalAddress(macAddress)) ?? null);
        if (holding !== null) found.set(index, holding);
      }),
    ),
  );
  return found;
}

/** The cells of which all further iterations are repetitions, on the same endpoints. */
export function firstIteration({ cells }: LoadContext['plan']): LoadContext['plan']['cells'] {
  return cells.filter(({ iteration }) => (iteration ?? 1) === 1);
}

/** Every endpoint that the plan could touch, once. */
export function reachableEndpoints(context: LoadContext): readonly number[] {
  const { offset = 0, size = 0 } = context.plan.resident ?? {};
  const resident = Array.from({ length: size }, (_, place) => offset + place);
  return [...new Set([...firstIteration(context.plan).flatMap((cell) => reachableOf(cell)), ...resident])];
}

/** Those of the endpoints that hold a policy by the list. Nothing is asked of each where the list is empty. */
export async function holdersOf(
  context: LoadContext,
  indexes: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  return holders(context, indexes, await holdingTotal(context.client));
}

/** Endpoints of the pool that hold a policy, as far as the list can be walked. */
async function walkPool({ client, plan }: LoadContext): Promise<SeenHoldings> {
  const total = await holdingTotal(client);
  if (total === null || total > WALK_LIMIT) return NOTHING_SEEN;
  try {
    return await seenHoldings(client, (mac) => plan.pool.has(mac));
  } catch (fault) {
    if (fault instanceof UnreadableState) return NOTHING_SEEN;
    throw fault;
  }
}

const NOTHING_SEEN: SeenHoldings = { held: new Map(), written: new Map(), isWhole: false };

/** What a walk after the load shows of endpoints that the load did not name. */
export interface Strays {
  /** Those that hold its policy and held none before: a policy went to another endpoint than the one that was named. */
  readonly indexes: readonly number[];
  /** Those that hold another policy, by MAC address, and held none before. */
  readonly others: ReadonlyMap<string, string>;
  /** False where the pool was walked before the load, and cannot be any more. */
  readonly isKnown: boolean;
}

/** Looks for a policy of the load on the other endpoints of the pool; where the pool was never walked, there is nothing to tell. */
export async function strayHolders(context: LoadContext): Promise<Strays> {
  const { plan, state } = context;
  const before = state.before();
  if (before === undefined) return { indexes: [], others: new Map(), isKnown: true };
  const { held, isWhole } = await walkPool(context);
  const named = new Set(state.touched().map((index) => plan.pool.at(index).macAddress));
  const fresh = [...held].filter(([mac]) => !before.has(mac));
  const isOurs = (policy: string) => policy === '' || policy === plan.policy;
  return {
    indexes: fresh.flatMap(([mac, policy]) => (isOurs(policy) ? (plan.pool.indexOf(mac) ?? []) : [])),
    others: new Map(fresh.filter(([mac, policy]) => !isOurs(policy) && !named.has(mac))),
    isKnown: isWhole,
  };
}

/** Endpoints within reach that hold a policy: by the walk, where there was one, and not asked for again. */
async function heldOf(context: LoadContext, inPool: ReadonlyMap<string, string> | undefined) {
  const reachable = reachableEndpoints(context);
  if (inPool === undefined) return holdersOf(context, reachable);
  return new Map(
    reachable.flatMap((index): [number, string][] => {
      const policy = inPool.get(context.plan.pool.at(index).macAddress);
      return policy === undefined ? [] : [[index, policy]];
    }),
  );
}

/**
 * Looks at what the endpoints hold before anything is written. Throws `UsageError` where some hold a policy that this
 * run did not put there, unless the plan takes them over.
 */
export async function readInitialState(context: LoadContext): Promise<void> {
  const { held: seen, isWhole } = await walkPool(context);
  const inPool = isWhole ? seen : undefined;
  if (inPool !== undefined) context.state.noteBefore(inPool.keys());
  const held = await heldOf(context, inPool);
  if (context.plan.spec.takeOver) for (const index of held.keys()) context.state.set(index, 'unknown');
  if (held.size === 0 || context.plan.spec.takeOver) return;
  const named = [...held]
    .slice(0, NAMED)
    .map(([index, policy]) => `${context.plan.pool.at(index).macAddress} holds "${policy}"`);
  throw new UsageError(
    'endpoint-holds-policy',
    `${counted(held.size, 'endpoint')} of the pool already ${held.size === 1 ? 'holds' : 'hold'} a policy: ${named.join(', ')}`,
    {
      hint: 'clear them, use other endpoints, or add --take-over; their policies are then lost',
    },
  );
}
