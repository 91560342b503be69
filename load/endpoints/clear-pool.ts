import { holdingsOf, inParts } from '../../lib/client/anc/look.ts';
import { ancFamilyOf } from '../../lib/client/anc/lookup.ts';
import { type Cleanup, endpointResidue, strayEndpoint, unknownHolders } from '../../lib/client/cleanup/residue.ts';
import { lookedNow } from '../../lib/client/safety/proof.ts';
import { SWEEP_OF_POOL } from '../../lib/curl.ts';
import { defined } from '../../lib/defined.ts';
import { messageOf } from '../../lib/errors.ts';
import { type LoadContext, notePhase } from './context.ts';
import { holdersOf, reachableEndpoints, strayHolders } from './initial-state.ts';
import { othersInPoolOf } from './others.ts';
import { setEndpoints } from './set-endpoints.ts';

/** Endpoints that are listed one by one; the journal names the others. */
const LISTED = 200;

/** The first of so many entries one by one; the last stands for all others. */
function bounded<Entry extends Cleanup['residue'][number]>(each: readonly Entry[], all: number, command?: string) {
  const listed = each.slice(0, LISTED);
  const number = all - listed.length;
  const [first] = listed;
  if (first === undefined || number <= 0) return listed;
  return [...listed, { ...first, ...defined({ command }), id: `${number} more endpoints`, number }];
}

/** Endpoints that are left, by what is known of each: `isSeen` if a look showed them; else the last answer about it tells. */
function residueOf({ client, plan, state }: LoadContext, all: readonly number[], isSeen: boolean): Cleanup['residue'] {
  return (['policy', 'nothing', 'unknown'] as const).flatMap((said) => {
    const left = all.filter((index) => (isSeen ? 'policy' : state.get(index)) === said);
    const each = left.slice(0, LISTED).map((index) => endpointResidue(client, plan.pool.at(index).macAddress, said));
    return bounded(each, left.length, SWEEP_OF_POOL);
  });
}

const because = (residue: Cleanup['residue'], why: string | undefined): Cleanup['residue'] =>
  residue.map((each) => ({ ...each, ...defined({ why }) }));

/** Leaves the pool as it is, for a reason: every endpoint that may hold a policy of the load is residue. */
export function leavePool(context: LoadContext, why: string): Cleanup {
  const left = context.state.touched();
  return { created: left.length, removed: 0, residue: because(residueOf(context, left, false), why) };
}

/** Clears every endpoint that may hold a policy of the load, and proves it by the list; what still does, or was not seen, is residue. */
export async function clearPool(
  given: LoadContext,
  onWork: (endpoints: number, leftNow: () => number) => void,
): Promise<Cleanup> {
  const context: LoadContext = { ...given, client: given.client.view({ signal: 'ignored' }), signal: undefined };
  const { state } = context;
  if (state.touched().length === 0) return { created: 0, removed: 0, residue: [] };
  const used = state.toClear();
  if (used.length > 0) onWork(used.length, () => state.toClear().length);
  let left: readonly number[];
  let isSeen = true;
  let why: string | undefined;
  // Where the pool was never walked, a policy on another of its endpoints was not to be seen before either.
  let isKnown = state.before === undefined;
  let strays: readonly number[] = [];
  let unread = 0;
  const others = new Map<string, string>();
  const { pool, policy: put } = context.plan;
  const wasCleared = new Set(state.touched().filter(state.isCleared));
  /** True for the policy of the load, one without a name if ours was not cleared, and one that was taken over; any other may be somebody else's. */
  const isOurs = (index: number, policy: string) => {
    const { macAddress } = pool.at(index);
    const isTaken = context.plan.spec.takeOver && (state.before?.macs.has(macAddress) ?? true);
    const isOther = (policy === '' ? wasCleared.has(index) : policy !== put) && !isTaken;
    if (isOther) others.set(macAddress, policy);
    return !isOther;
  };
  const ours = async (indexes: readonly number[]) =>
    [...(await holdersOf(context, indexes))].flatMap(([index, policy]) => (isOurs(index, policy) ? [index] : []));
  // The answers of a load that reached its end say what it put where; after an interruption nobody knows.
  const isOpen = (index: number) => given.signal?.aborted === true || state.get(index) === 'unknown';
  /** Clears what a look just before shows to be of the load; what was not seen is left, unless the answers tell. */
  const clearSeen = async (part: readonly number[]) => {
    const macs = part.map((index) => pool.at(index).macAddress);
    const { holdings } = await holdingsOf(context.client, macs, { among: () => false });
    const held = part.filter((index, at) => {
      const policy = holdings.get(macs[at] ?? '');
      if (policy === undefined) return !isOpen(index);
      // One that was taken and does not show may come yet, or the list is late: it is cleared by what was answered.
      if (policy === null && state.get(index) === 'policy') context.client.givesUp(ancFamilyOf(context.client));
      return policy === null || isOurs(index, policy);
    });
    return (await setEndpoints(context, held, 'nothing', lookedNow(context.clock))).late;
  };
  try {
    await inParts(used, clearSeen);
    await context.client.waitsForLate();
    const stray = await strayHolders(context);
    ({ indexes: strays, isKnown } = stray);
    for (const [mac, policy] of stray.others) others.set(mac, policy);
    ({ unread } = stray);
    const shown = await ours(reachableEndpoints(context));
    // What an answer says is cleared, or no transaction named, may be of somebody else.
    const suspects = new Set([...shown.filter(state.isCleared), ...strays]);
    const isShared = suspects.size > 0 && (await othersInPoolOf(context)) !== undefined;
    if (isShared) for (const index of suspects) others.set(pool.at(index).macAddress, put);
    left = [...new Set([...shown, ...strays])].filter((index) => !isShared || !suspects.has(index));
    // Strayed, or listed although its clear was answered with success or never: once more, then it is reported.
    if (left.length > 0) {
      await setEndpoints(context, left, 'nothing');
      left = await ours(left);
    }
  } catch (fault) {
    // Nobody could look: nothing is proven of any of them.
    why = messageOf(fault);
    left = [...new Set([...state.touched(), ...strays])];
    isSeen = false;
  }
  if (left.length === 0) {
    for (const cell of context.plan.cells) notePhase(context, cell, 'cleared', 'clear');
  }
  const created = Math.max(state.everHeld(), left.length);
  const residue = [
    ...because(residueOf(context, left, isSeen), why),
    ...(isKnown ? [] : [unknownHolders(context.client)]),
  ];
  const leftAlone = bounded(
    [...others].map(([mac, policy]) => strayEndpoint(context.client, mac, policy)),
    others.size + unread,
  );
  return {
    created,
    removed: created - left.length,
    residue,
    ...defined({ leftAlone: leftAlone.length === 0 ? undefined : leftAlone, takenOver: state.takenOver || undefined }),
  };
}
