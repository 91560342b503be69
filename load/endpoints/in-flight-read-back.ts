import { type Holding, holdingByFilter, UnreadableState } from '../../lib/client/anc/state.ts';
import { defined } from '../../lib/defined.ts';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { endpointOf, type LoadContext, noteOther, promisedBy } from './context.ts';
import { look, NAMED, settle, shown } from './read-back.ts';

type During = NonNullable<CellFacts['readBack']['inFlight']>;

/** Gives the number of the newest arrival that was answered with success; undefined before the first. */
type NewestSuccess = () => number | undefined;

/** A look is twice a list and a record at most; together they stay below this share of the transactions. */
const REQUESTS_PER_LOOK = 4;
const MOST_SHARE = 0.03;
const LEAST_MS = 1000;
/** Looks in a row that tell nothing; after that the target is left alone. */
const PATIENCE = 3;
/** Endpoints whose state after the load tells whether the list filter can be trusted. */
const TWINS = 3;
const NO_FILTER = 'the list filter does not find endpoints';

/** Time between two looks: never more than a few requests in a hundred come from here. */
export function lookIntervalMs(targetPerSecond: number): number {
  return Math.max(LEAST_MS, (REQUESTS_PER_LOOK * 1000) / (MOST_SHARE * targetPerSecond));
}

/** Looks at the endpoint that was answered last, one at a time, until the grace is over. */
export function watchPhase(context: LoadContext, cell: PlannedCell) {
  const { client, plan, clock } = context;
  const graceMs = plan.spec.readBackGraceMs;
  const expected = promisedBy(context, cell).is;
  const indexOf = endpointOf(cell);
  const macOf = (seq: number) => plan.pool.at(indexOf(seq)).macAddress;
  let newest: NewestSuccess = () => undefined;
  const looked = new Set<number>();
  const wrong = new Map<number, string>();
  const seen = { tried: 0, sampled: 0, proven: 0, late: 0 };
  let unreadable = 0;
  let skipped: string | undefined;

  const holdingNow = async (seq: number): Promise<Holding> => {
    const holding = await holdingByFilter(client, macOf(seq));
    // The filter is refused, or shows entries that are none of this endpoint's: what it holds, nobody knows.
    if (holding === undefined) throw new UnreadableState(NO_FILTER);
    noteOther(context, macOf(seq), holding);
    return holding;
  };
  const next = async () => {
    const seq = newest();
    if (seq === undefined || looked.has(seq)) return;
    looked.add(seq);
    const seenMs = clock.monotonicMs();
    seen.tried += 1;
    let holding = await holdingNow(seq);
    const { late } = await settle(context, holding === expected ? [] : [seq], graceMs, async (seqs) => {
      holding = await holdingNow(seq);
      return holding === expected ? [] : seqs;
    });
    seen.late += late;
    unreadable = 0;
    seen.sampled += 1;
    if (holding === expected) {
      seen.proven += 1;
      return;
    }
    const seconds = ((clock.monotonicMs() - seenMs) / 1000).toFixed(1);
    wrong.set(
      seq,
      `${macOf(seq)} holds ${shown(holding)} ${seconds} s after its success was seen, as long as --read-back-grace waits`,
    );
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (running !== undefined || skipped !== undefined) return;
    running = next()
      .catch((fault: unknown) => {
        unreadable += 1;
        // Accounts are suspended after a few refused logins.
        const refused = fault instanceof HarnessError && fault.code === 'refused-login';
        if (refused || unreadable >= PATIENCE) skipped = messageOf(fault);
      })
      .finally(() => {
        running = undefined;
      });
  }, lookIntervalMs(cell.targetPerSecond));

  /** The filter is at fault, and not the endpoint, where the whole list shows what it does not. */
  const filterAtFault = async () => {
    const twins = [...wrong.keys()].slice(0, TWINS);
    const now = await look(context, cell, twins, expected);
    for (const seq of twins) {
      if (now.get(seq) === expected && (await holdingByFilter(client, macOf(seq))) !== expected) return true;
    }
    return false;
  };
  return {
    follow(asked: NewestSuccess) {
      newest = asked;
    },
    async stop(): Promise<During> {
      clearInterval(timer);
      await running;
      const atFault = wrong.size > 0 && (await filterAtFault().catch(() => false));
      if (atFault) return { ...seen, sampled: 0, proven: 0, late: 0, mismatches: [], skipped: NO_FILTER };
      const mismatches = [...wrong.values()].slice(0, NAMED);
      return { ...seen, mismatches, ...defined({ skipped }) };
    },
  };
}
