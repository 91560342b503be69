import pLimit from 'p-limit';
import {
  type Holding,
  holdingByFilter,
  holdingTotal,
  seenHoldings,
  UnreadableState,
} from '../../lib/client/anc/state.ts';
import { normalAddress } from '../../lib/client/safety/targets.ts';
import { defined } from '../../lib/defined.ts';
import { messageOf } from '../../lib/errors.ts';
import { type CellFacts, OUTCOME, type Samples } from '../../lib/records/load/load.ts';
import { NO_SUCCESS } from '../../lib/records/load/parts.ts';
import type { Depth } from '../../lib/records/vocabulary.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { endpointOf, type LoadContext, noteOther, promisedBy } from './context.ts';

/** Time between two looks at what is not as promised: it may be on its way between the parts of a deployment. */
const AGAIN_MS = 1000;

/** Looks again until all is as promised or the grace is over. `stillWrong` gives undefined if nobody can tell. */
export async function settle<T>(
  { clock, signal }: Pick<LoadContext, 'clock' | 'signal'>,
  wrong: readonly T[],
  graceMs: number,
  stillWrong: (wrong: readonly T[]) => Promise<readonly T[] | undefined>,
  atOnce = false,
) {
  const startMs = clock.monotonicMs();
  let [left, late, visibleAfterMs]: [readonly T[], number, number | null] = [wrong, 0, null];
  for (let isFirst = atOnce; left.length > 0; isFirst = false) {
    const waitMs = Math.min(AGAIN_MS, graceMs - (clock.monotonicMs() - startMs));
    if (!isFirst && waitMs <= 0) break;
    if (!isFirst) await clock.sleep(waitMs, signal);
    const now = await stillWrong(left);
    if (now === undefined) return { left: [], unknown: left, late, visibleAfterMs };
    if (now.length < left.length)
      [late, visibleAfterMs] = [late + left.length - now.length, clock.monotonicMs() - startMs];
    left = now;
  }
  return {
    left,
    unknown: [] as readonly T[],
    /** As promised only when looked at again, and milliseconds until the last of them was; null if none was. */
    ...{ late, visibleAfterMs },
  };
}

type ReadBack = CellFacts['readBack'];

const SAMPLE: Readonly<Record<Depth, number>> = { quick: 24, normal: 60, deep: 200 };
const LEAST = 20;
export const NAMED = 10;

function spread(count: number, wanted: number): readonly number[] {
  const taken = Math.min(count, wanted);
  return Array.from({ length: taken }, (_, place) => Math.floor(((place + 0.5) * count) / taken));
}

/** What the endpoints of arrivals hold, by the filter, or else by one walk of the list. Throws `UnreadableState` if neither can tell. */
export async function look(
  context: LoadContext,
  cell: PlannedCell,
  seqs: readonly number[],
  expected: Holding,
): Promise<ReadonlyMap<number, Holding>> {
  const indexOf = endpointOf(cell);
  const found = new Map<number, Holding>();
  let walk: ReturnType<typeof seenHoldings> | undefined;
  let unreadable: UnreadableState | undefined;
  const lookAt = async (seq: number) => {
    const { macAddress } = context.plan.pool.at(indexOf(seq));
    let holding = await holdingByFilter(context.client, macAddress);
    if (holding === undefined || holding !== expected) {
      walk ??= seenHoldings(context.client);
      const { held, isWhole, fault } = await walk;
      if (fault !== undefined) throw fault;
      if (isWhole) holding = held.get(normalAddress(macAddress)) ?? null;
    }
    if (holding === undefined) throw new UnreadableState('the list filter tells nothing, and the list is too long');
    noteOther(context, macAddress, holding);
    found.set(seq, holding);
  };
  const lookOrSkip = (seq: number) =>
    lookAt(seq).catch((fault: unknown) => {
      if (!(fault instanceof UnreadableState)) throw fault;
      unreadable = fault;
    });
  await pLimit(context.client.options.target.connections).map(seqs, lookOrSkip);
  if (found.size === 0 && unreadable !== undefined) throw unreadable;
  return found;
}

/** A sample before the load, and the total: the positive twin of what is found after it. `fault`: why nobody could look. */
export async function lookBefore(context: LoadContext, cell: PlannedCell) {
  try {
    const seqs = spread(cell.endpointCount - 1 - (cell.ramp?.arrivals ?? 0), SAMPLE[context.plan.spec.depth]);
    const { was } = promisedBy(context, cell);
    const holdings = new Map<number, Holding>();
    // The list may show late what was done to prepare them.
    const stillWrong = async (wrong: readonly number[]) => {
      for (const [seq, holding] of await look(context, cell, wrong, was)) holdings.set(seq, holding);
      return wrong.filter((seq) => holdings.has(seq) && holdings.get(seq) !== was);
    };
    await settle(context, seqs, context.plan.spec.readBackGraceMs, stillWrong, true);
    return { holdings, total: await holdingTotal(context.client) };
  } catch (fault) {
    return { holdings: new Map<number, Holding>(), total: null, fault: messageOf(fault) };
  }
}
type Before = Awaited<ReturnType<typeof lookBefore>>;

interface Recorded {
  readonly samples: Samples;
  readonly failures: CellFacts['failures'];
}

/** Outcomes that stand for an effect: success, and the error that this target answers although the operation is carried out. */
function effectOutcomes({ anc }: LoadContext, { failures }: Recorded): ReadonlySet<number> {
  const despite = failures.flatMap(({ status, kind }, index) =>
    status === anc?.doneDespite?.status && kind !== 'state' ? [OUTCOME.firstFailure + index] : [],
  );
  return new Set([OUTCOME.success, ...despite]);
}

/** Numbers of the arrivals to look at: those seen before that had their effect, and more until there are enough. */
function chosen(before: Before, samples: Samples, outcomes: ReadonlySet<number>, wanted: number): readonly number[] {
  const done = [...samples.seq.filter((_seq, row) => outcomes.has(samples.outcome[row] ?? OUTCOME.dropped)).sort()];
  const known = done.filter((seq) => before.holdings.has(seq));
  if (known.length >= LEAST) return known;
  const others = done.filter((seq) => !before.holdings.has(seq));
  return [...known, ...spread(others.length, wanted - known.length).map((place) => others[place] ?? 0)];
}

/** Endpoints that are looked at of those whose transaction failed, all kinds of failures together. */
const REFUSED = 20;

/** Tells if transactions that failed still took effect, by the place of their failure. */
async function lookAtRefused(
  context: LoadContext,
  cell: PlannedCell,
  { samples, failures }: Recorded,
): Promise<ReadBack['refused']> {
  const { was, is } = promisedBy(context, cell);
  const each = Math.ceil(REFUSED / Math.max(1, failures.length));
  const chosen = failures.flatMap((_, failure) => {
    const seqs = [...samples.seq].filter((_seq, row) => samples.outcome[row] === OUTCOME.firstFailure + failure);
    return spread(seqs.length, each).map((place) => ({ failure, seq: seqs[place] ?? 0 }));
  });
  const seqs = chosen.map(({ seq }) => seq);
  const found = await look(context, cell, seqs, was);
  return failures.flatMap((_, failure) => {
    const own = chosen.filter((one) => one.failure === failure && found.has(one.seq));
    const done = own.filter(({ seq }) => found.get(seq) === is).length;
    return own.length === 0 ? [] : [{ failure, looked: own.length, done }];
  });
}

export const notLooked = (skipped: string, totalBefore: number | null = null): ReadBack => ({
  ...{ sampled: 0, proven: 0, mismatches: [], totalBefore, totalAfter: null, skipped },
});

export const shown = (holding: Holding) => (holding === null ? 'nothing' : `"${holding}"`);

/** Looks at endpoints whose transaction succeeded: they hold what was promised, and did not before. Without any, the sample shows it. */
export async function readBack(
  context: LoadContext,
  cell: PlannedCell,
  before: Before,
  recorded: Recorded,
): Promise<ReadBack> {
  if (before.fault !== undefined) return notLooked(`before the load: ${before.fault}`, before.total);
  const { was, is } = promisedBy(context, cell);
  const outcomes = effectOutcomes(context, recorded);
  const wanted = chosen(before, recorded.samples, outcomes, SAMPLE[context.plan.spec.depth]);
  const indexOf = endpointOf(cell);
  if (wanted.length === 0) {
    const { holdings, total: totalBefore } = before;
    const mismatches = [NO_SUCCESS];
    return { sampled: holdings.size, proven: 0, mismatches, totalBefore, totalAfter: null };
  }
  try {
    const refused = cell.step === undefined ? undefined : await lookAtRefused(context, cell, recorded);
    const after = new Map(await look(context, cell, wanted, is));
    const wrong = () => wanted.filter((seq) => after.has(seq) && after.get(seq) !== is);
    const settled = await settle(context, wrong(), context.plan.spec.readBackGraceMs, async (seqs) => {
      for (const [seq, holding] of await look(context, cell, seqs, is)) after.set(seq, holding);
      return wrong();
    });
    const visibleAfterMs = settled.late === 0 ? undefined : Math.round(settled.visibleAfterMs ?? 0);
    const seqs = wanted.filter((seq) => after.has(seq));
    let others = 0;
    const mismatches = seqs.flatMap((seq) => {
      const { macAddress } = context.plan.pool.at(indexOf(seq));
      const then = before.holdings.get(seq);
      const now = after.get(seq) ?? null;
      // Somebody else may have put it there: it is looked at again before anything is cleared.
      const isOther = now !== null && now !== context.plan.policy;
      if (isOther) context.state.doubt(indexOf(seq));
      if (isOther && now !== '') others += 1;
      const wrong = [
        ...(then !== undefined && then !== was ? [`${macAddress} held ${shown(then)} before the load`] : []),
        ...(now !== is ? [`${macAddress} holds ${shown(now)} after the load`] : []),
      ];
      return wrong.length === 0 ? [] : [wrong.join(', ')];
    });
    return {
      sampled: seqs.length,
      proven: seqs.length - mismatches.length,
      mismatches: mismatches.slice(0, NAMED),
      ...(others === 0 ? {} : { others }),
      totalBefore: before.total,
      totalAfter: await holdingTotal(context.client),
      ...defined({ refused, visibleAfterMs, driftPerSecond: context.driftPerSecond }),
    };
  } catch (fault) {
    return notLooked(`after the load: ${messageOf(fault)}`, before.total);
  }
}
