import { holdingByFilter, readAnc, UnreadableState } from '../../lib/client/anc/state.ts';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import type { Reconciliation } from '../../lib/records/load/read-back.ts';
import type { LoadContext } from './context.ts';
import { type Listed, listHoldings } from './list-holdings.ts';
import { shown } from './read-back.ts';

const EXAMPLES = 10;
/** Present endpoints whose policy is read, where the list does not show it. */
const POLICY_SAMPLE = 30;
/** Suspects that are asked for one by one; more of them are looked for by another walk. */
const MOST_ASKED = 50;
const AGAIN_MS = 1000;

interface Kind {
  count: number;
  readonly examples: string[];
}

const kind = (): Kind => ({ count: 0, examples: [] });

function note(found: Kind, example: string): void {
  found.count += 1;
  if (found.examples.length < EXAMPLES) found.examples.push(example);
}

/** What one walk saw of the pool: which endpoints are listed, and what is wrong with the entries. */
interface Seen {
  readonly present: Uint8Array;
  readonly foreign: Kind;
  readonly wrongPolicy: Kind;
  readonly unchecked: Listed[];
  checked: number;
}

async function walk(context: LoadContext, limit: number) {
  const { pool, policy } = context.plan;
  const seen: Seen = {
    present: new Uint8Array(pool.size),
    ...{ foreign: kind(), wrongPolicy: kind(), unchecked: [], checked: 0 },
  };
  const ever = new Set(context.state.touched());
  const take = (listed: Listed) => {
    const index = pool.indexOf(listed.mac);
    if (index === undefined || !ever.has(index)) {
      note(seen.foreign, listed.mac);
      return;
    }
    seen.present[index] = 1;
    if (listed.policy === undefined) seen.unchecked.push(listed);
    else {
      seen.checked += 1;
      if (listed.policy !== policy) note(seen.wrongPolicy, `${listed.mac} holds ${shown(listed.policy)}`);
    }
  };
  const cost = await listHoldings(context.client, limit, (page) => page.forEach(take));
  return { seen, cost };
}

/** Reads the policy of some of the endpoints that the list shows by their address alone. */
async function samplePolicies({ client, plan }: LoadContext, seen: Seen): Promise<void> {
  const every = Math.max(1, Math.floor(seen.unchecked.length / POLICY_SAMPLE));
  for (const { mac, id } of seen.unchecked.filter((_, at) => at % every === 0).slice(0, POLICY_SAMPLE)) {
    const record = await readAnc(client, id);
    if (record === null) continue;
    seen.checked += 1;
    if (record.policy !== plan.policy) note(seen.wrongPolicy, `${mac} holds ${shown(record.policy)}`);
  }
}

/** Those of the suspects that are still not as acknowledged; undefined where nobody can tell. */
async function stillWrong(
  context: LoadContext,
  suspects: readonly number[],
  limit: number,
): Promise<readonly number[] | undefined> {
  const wrong = (index: number, present: boolean) => (context.state.get(index) === 'policy') !== present;
  if (suspects.length <= MOST_ASKED) {
    const left: number[] = [];
    let trusted = true;
    for (const index of suspects) {
      const holding = await holdingByFilter(context.client, context.plan.pool.at(index).macAddress);
      if (holding === undefined) trusted = false;
      else if (wrong(index, holding !== null)) left.push(index);
    }
    if (trusted) return left;
  }
  const { seen, cost } = await walk(context, limit);
  if (cost.cut !== undefined) return undefined;
  return suspects.filter((index) => wrong(index, seen.present[index] === 1));
}

/** Looks at suspects again until they are as acknowledged or the grace is over; says how long the last of those that came took. */
async function decide(context: LoadContext, suspects: readonly number[], limit: number, graceMs: number) {
  const { clock, signal } = context;
  const startMs = clock.monotonicMs();
  let [left, late, visibleAfterMs]: [readonly number[], number, number | null] = [suspects, 0, null];
  for (;;) {
    // The first look is at once: an entry may have moved between two pages.
    const now = await stillWrong(context, left, limit);
    if (now === undefined) return { left: [], indeterminate: left, late, visibleAfterMs };
    const afterMs = clock.monotonicMs() - startMs;
    if (now.length < left.length) [late, visibleAfterMs] = [late + left.length - now.length, afterMs];
    left = now;
    if (left.length === 0 || afterMs >= graceMs) return { left, indeterminate: [], late, visibleAfterMs };
    await clock.sleep(Math.min(AGAIN_MS, graceMs - afterMs), signal);
  }
}

/**
 * Holds the whole list against what was acknowledged, endpoint by endpoint: every one that an apply succeeded on is listed, and none that
 * a clear succeeded on is. What is not is looked at again before it counts. Lost endpoints are doubtful from then on: they are cleared at
 * the end, and do not count again.
 */
export async function reconcile(context: LoadContext, limit: number, graceMs: number): Promise<Reconciliation> {
  const { state, clock, plan } = context;
  const startMs = clock.monotonicMs();
  const seconds = () => (clock.monotonicMs() - startMs) / 1000;
  const none = { acknowledged: 0, listed: 0, pages: 0, requests: 0 };
  try {
    const { seen, cost } = await walk(context, limit);
    const { cut, entries, ...requests } = cost;
    if (cut !== undefined) return { ...none, ...requests, seconds: seconds(), skipped: cut };
    await samplePolicies(context, seen);
    const [unacknowledged, lost, indeterminate] = [kind(), kind(), kind()];
    const suspects: number[] = [];
    let acknowledged = 0;
    for (const index of state.touched()) {
      const [held, present] = [state.get(index), seen.present[index] === 1];
      if (held === 'unknown') {
        if (present) note(unacknowledged, plan.pool.at(index).macAddress);
        continue;
      }
      acknowledged += 1;
      if ((held === 'policy') !== present) suspects.push(index);
    }
    const { left, late, visibleAfterMs, ...undecided } = await decide(context, suspects, limit, graceMs);
    for (const index of undecided.indeterminate) note(indeterminate, plan.pool.at(index).macAddress);
    for (const index of left) {
      const { macAddress } = plan.pool.at(index);
      note(lost, `${macAddress} ${state.get(index) === 'policy' ? 'is not listed' : 'is still listed'}`);
      state.set(index, 'unknown');
    }
    return {
      ...{ acknowledged, listed: entries, ...requests, seconds: seconds() },
      ...{ lost, unacknowledged, foreign: seen.foreign, indeterminate },
      wrongPolicy: { ...seen.wrongPolicy, checked: seen.checked },
      ...{ late, visibleAfterMs },
    };
  } catch (fault) {
    if (!(fault instanceof UnreadableState) && !(fault instanceof HarnessError)) throw fault;
    if (fault instanceof HarnessError && fault.code === 'refused-login') throw fault;
    return { ...none, seconds: seconds(), skipped: messageOf(fault) };
  }
}
