import pLimit from 'p-limit';
import { type Holding, holdingByFilter, readAnc, UnreadableState } from '../../lib/client/anc/state.ts';
import { defined } from '../../lib/defined.ts';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import type { Reconciliation } from '../../lib/records/load/parts.ts';
import { type LoadContext, noteOther } from './context.ts';
import { countHoldings, kind, type Listed, listHoldings, note, Uncountable } from './list-holdings.ts';
import { settle, shown } from './read-back.ts';

/** Present endpoints whose policy is read if the list does not show it: with none wrong, fewer than 0.5 % are, with 95 % confidence. */
const POLICY_SAMPLE = 600;
/** Suspects that are asked for one by one; more of them are looked for by another walk, where the list is walked. */
const MOST_ASKED = 50;

const isWrong = ({ state }: LoadContext, index: number, present: boolean) =>
  (state.get(index) === 'policy') !== present;

const askedFor = ({ client, plan }: LoadContext, indexes: readonly number[]) =>
  pLimit(client.options.target.connections).map(indexes, (index) =>
    holdingByFilter(client, plan.pool.at(index).macAddress),
  );

const noPolicies = () => ({ ...kind(), checked: 0 });

function checkPolicy(context: LoadContext, wrong: ReturnType<typeof noPolicies>, mac: string, policy?: Holding): void {
  if (policy === undefined || policy === null) return;
  wrong.checked += 1;
  noteOther(context, mac, policy);
  if (policy !== context.plan.policy) note(wrong, `${mac} holds ${shown(policy)}`);
}

async function walk(context: LoadContext, limit: number) {
  const { pool } = context.plan;
  const present = new Uint8Array(pool.size);
  const foreign = kind();
  const wrongPolicy = noPolicies();
  const unchecked: Listed[] = [];
  let met = 0;
  const take = (listed: Listed) => {
    const index = pool.indexOf(listed.mac);
    if (index === undefined || !context.state.wasTouched(index)) return note(foreign, listed.mac);
    present[index] = 1;
    checkPolicy(context, wrongPolicy, listed.mac, listed.policy);
    if (listed.policy !== undefined) return;
    // A spread sample of as many as may come: every second one goes where twice as many have come.
    met += 1;
    if (unchecked.length < POLICY_SAMPLE) unchecked.push(listed);
    else if (met % Math.ceil(met / POLICY_SAMPLE) === 0) unchecked[met % POLICY_SAMPLE] = listed;
  };
  const { cut, entries, unread, ...requests } = await listHoldings(context.client, limit, (page) => page.forEach(take));
  return { present, foreign, wrongPolicy, unchecked, cut, unread, cost: { listed: entries, ...requests } };
}

async function seenByWalk(context: LoadContext, limit: number) {
  const { present, unchecked, wrongPolicy, foreign, cost, cut } = await walk(context, limit);
  if (cut !== undefined) return cut;
  const { client } = context;
  await pLimit(client.options.target.connections).map(unchecked, async ({ mac, id }) =>
    checkPolicy(context, wrongPolicy, mac, (await readAnc(client, id))?.policy),
  );
  const unacknowledged = kind();
  const suspects: number[] = [];
  for (const index of context.state.touched()) {
    const isListed = present[index] === 1;
    if (context.state.get(index) !== 'unknown') {
      if (isWrong(context, index, isListed)) suspects.push(index);
    } else if (isListed) note(unacknowledged, context.plan.pool.at(index).macAddress);
  }
  const walkAgain = async (left: readonly number[]) => {
    const now = await walk(context, limit);
    // What is listed and cannot be read may be any of them.
    return now.cut === undefined && now.unread === 0
      ? left.filter((index) => isWrong(context, index, now.present[index] === 1))
      : undefined;
  };
  return {
    suspects: suspects as readonly number[],
    ...{ unacknowledged, foreign, wrongPolicy, cost },
    /** Looks for some of them by another walk; undefined if the list is not walked. */
    walkAgain: walkAgain as typeof walkAgain | undefined,
  };
}
type Seen = Exclude<Awaited<ReturnType<typeof seenByWalk>>, string>;

/** Where walking takes too many requests, counts by beginnings of addresses take few. */
async function seenByCounts(context: LoadContext, limit: number): Promise<Seen> {
  const { plan, state } = context;
  const { entries, requests, suspects, unacknowledged: indexes, foreign } = await countHoldings(context, limit);
  const unacknowledged = kind();
  for (const index of indexes) note(unacknowledged, plan.pool.at(index).macAddress);
  const wrongPolicy = noPolicies();
  const known = new Set(suspects);
  const holding = state.touched().filter((index) => state.get(index) === 'policy' && !known.has(index));
  // One by the filter and one for its record.
  const most = Math.min(POLICY_SAMPLE, Math.floor(Math.max(0, limit - requests) / 2));
  const every = Math.max(1, Math.floor(holding.length / Math.max(1, most)));
  const some = holding.filter((_, at) => at % every === 0).slice(0, most);
  const held = await askedFor(context, some);
  for (const [at, index] of some.entries()) checkPolicy(context, wrongPolicy, plan.pool.at(index).macAddress, held[at]);
  return {
    ...{ suspects, unacknowledged, wrongPolicy, foreign: { count: foreign, examples: [] } },
    cost: { listed: entries, pages: 0, requests },
    walkAgain: undefined,
  };
}

async function stillWrong(context: LoadContext, suspects: readonly number[], walkAgain: Seen['walkAgain']) {
  if (suspects.length <= MOST_ASKED || walkAgain === undefined) {
    const held = await askedFor(context, suspects);
    if (!held.includes(undefined)) return suspects.filter((index, at) => isWrong(context, index, held[at] !== null));
  }
  return walkAgain?.(suspects);
}

/** Cleared endpoints that hold a policy which the run put on none: no clear puts one there. The first of them are asked for. */
async function heldByOthers(context: LoadContext, left: readonly number[]): Promise<ReadonlySet<number>> {
  const cleared = left.filter((index) => context.state.get(index) === 'nothing').slice(0, MOST_ASKED);
  const held = await askedFor(context, cleared);
  return new Set(cleared.filter((index, at) => noteOther(context, context.plan.pool.at(index).macAddress, held[at])));
}

/** First look: a walk, or counts where the walk takes too many requests; the reason why there is neither. */
async function lookAtList(context: LoadContext, limit: number): Promise<Seen | string> {
  const walked = await seenByWalk(context, limit);
  if (typeof walked !== 'string') return walked;
  try {
    return await seenByCounts(context, limit);
  } catch (fault) {
    if (!(fault instanceof Uncountable) && !(fault instanceof UnreadableState)) throw fault;
    return `${walked}; ${fault.message}`;
  }
}

/** Compares the whole list with what was acknowledged; differences are looked at again. Lost endpoints are doubtful from then on. */
export async function reconcile(context: LoadContext, limit: number, graceMs: number): Promise<Reconciliation> {
  const { state, clock, plan } = context;
  const startMs = clock.monotonicMs();
  const seconds = () => (clock.monotonicMs() - startMs) / 1000;
  const none = { acknowledged: 0, listed: 0, pages: 0, requests: 0 };
  try {
    const seen = await lookAtList(context, limit);
    if (typeof seen === 'string') return { ...none, seconds: seconds(), skipped: seen };
    const known = state.touched().filter((index) => state.get(index) !== 'unknown');
    const holding = known.filter((index) => state.get(index) === 'policy').length;
    const still = (suspects: readonly number[]) => stillWrong(context, suspects, seen.walkAgain);
    const { unacknowledged, foreign, wrongPolicy, cost, walkAgain } = seen;
    // The first look is at once: an entry may have moved between two pages.
    const { left, unknown, late, visibleAfterMs } = await settle(context, seen.suspects, graceMs, still, true);
    const [lost, indeterminate] = [kind(), kind()];
    for (const index of unknown) note(indeterminate, plan.pool.at(index).macAddress);
    const theirs = await heldByOthers(context, left);
    for (const index of left) {
      const { macAddress } = plan.pool.at(index);
      if (theirs.has(index)) note(foreign, macAddress);
      else note(lost, `${macAddress} ${state.get(index) === 'policy' ? 'is not listed' : 'is still listed'}`);
      state.doubt(index);
    }
    state.isCompared = wrongPolicy.checked >= holding;
    return {
      ...{ acknowledged: known.length, holding, ...cost, seconds: seconds() },
      ...{ lost, unacknowledged, foreign, indeterminate, wrongPolicy, late, visibleAfterMs },
      ...defined({ method: walkAgain === undefined ? ('counts' as const) : undefined }),
    };
  } catch (fault) {
    if (!(fault instanceof UnreadableState) && !(fault instanceof HarnessError)) throw fault;
    if (fault instanceof HarnessError && fault.code === 'refused-login') throw fault;
    return { ...none, seconds: seconds(), skipped: messageOf(fault) };
  }
}
