import { holdingTotal } from '../../lib/client/anc/state.ts';
import { steadyReads } from '../../lib/client/http/retries.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { HarnessError, UsageError } from '../../lib/errors.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { CellProgress } from '../../lib/records/load/parts.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import { clearPool, leavePool } from '../endpoints/clear-pool.ts';
import { type LoadContext, poolState } from '../endpoints/context.ts';
import { readInitialState } from '../endpoints/initial-state.ts';
import { probeAnc } from '../endpoints/probe-anc.ts';
import { RUNNERS_LEFT } from '../k6/facts.ts';
import type { LoadPlan, PlannedCell } from '../plan/plan.ts';

interface Numbered {
  readonly cell: PlannedCell;
  readonly index: number;
  readonly of: number;
}

export type LoadProgress =
  | (Numbered & { readonly kind: 'cell-start'; readonly attempt: 1 | 2 })
  | { readonly kind: 'preparing'; readonly cell: PlannedCell; readonly endpoints: number }
  | { readonly kind: 'second'; readonly cell: PlannedCell; readonly progress: CellProgress }
  | (Numbered & { readonly kind: 'cell-end'; readonly report: CellReport })
  /** Something that was learned of the target, or is done because of it. */
  | { readonly kind: 'told'; readonly text: string }
  /** Endpoints are cleared; `leftNow` tells how many still are to be. */
  | { readonly kind: 'cleaning'; readonly endpoints: number; readonly leftNow: () => number };

/** Long enough to see others who write all the time, short enough to wait for once in a run. */
const WATCH_MS = 2000;

/** Upper 95 % bound of a count of which so many were seen (Poisson, from above). */
const bound = (seen: number) => seen + 3 + 2 * Math.sqrt(seen);

/** Entries a second by which others change the list, at most, with 95 % confidence; undefined if it shows no total. */
async function driftOf(client: ErsClient, clock: Clock, signal?: AbortSignal): Promise<number | undefined> {
  const total = () => holdingTotal(client).catch(() => null);
  const before = await total();
  if (before === null) return undefined;
  const startMs = clock.monotonicMs();
  await clock.sleep(WATCH_MS, signal);
  const after = await total();
  const seconds = Math.max(WATCH_MS, clock.monotonicMs() - startMs) / 1000;
  return after === null ? undefined : bound(Math.abs(after - before)) / seconds;
}

export interface PoolDeps {
  /** Client in mode full, with the plan's pool and policy; its connections carry preparation and read-back. */
  readonly client: ErsClient;
  readonly clock: Clock;
  /** Ends what is under way; the pool is still cleared. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (progress: LoadProgress) => void;
}

export interface PoolResult {
  /** Endpoints that held a policy of this run, and those of them that hold none any more. */
  readonly cleanup: RunEnd['cleanup'];
  /** True if the run was aborted before the work was through. */
  readonly aborted: boolean;
  /** Why the work was not carried through: a fault of the target, the harness or the operator. */
  readonly fault?: unknown;
}

/** A refusal of endpoints that hold the policy of this very load, with what clears them if an earlier run put it there. */
function namingSweep(fault: unknown, policy: string): unknown {
  if (!(fault instanceof UsageError) || !fault.message.includes(`holds "${policy}"`)) return fault;
  const hint = `if a run of this tool was cut: \`ers-harness sweep --journal RUN_DIR\` clears what it left; else ${fault.hint}`;
  return new UsageError(fault.code, fault.message, { hint, cause: fault });
}

/** Looks at the pool, probes ANC, does the work, and clears the pool unless runners are left. Returns a fault of the work. */
export async function withPreparedPool(
  plan: LoadPlan,
  { client: whole, clock, signal, onProgress }: PoolDeps,
  work: (context: LoadContext, include: (cell: PlannedCell) => void) => Promise<void>,
): Promise<PoolResult> {
  const client = steadyReads(whole.view({ records: 'faults', ancJournal: 'covered' }));
  const context: LoadContext = { plan, client, clock, signal, state: poolState(plan.pool.size) };
  let reached = context;
  const include = (cell: PlannedCell) => {
    reached = { ...reached, plan: { ...reached.plan, cells: [...reached.plan.cells, cell] } };
  };
  let fault: unknown;
  try {
    await readInitialState(context);
    const anc = await probeAnc({ ...context, client: whole.view({ ancJournal: 'covered' }) });
    reached = { ...reached, anc };
    const driftPerSecond = await driftOf(client, clock, signal);
    await work({ ...context, anc, driftPerSecond }, include);
  } catch (thrown) {
    fault = namingSweep(thrown, plan.policy);
  }
  const aborted = signal?.aborted === true;
  if (fault instanceof HarnessError && fault.code === RUNNERS_LEFT) {
    return { cleanup: leavePool(reached, fault.message), aborted, fault };
  }
  const cleanup = await clearPool(reached, (endpoints, leftNow) =>
    onProgress({ kind: 'cleaning', endpoints, leftNow }),
  );
  return { cleanup, aborted, ...(fault === undefined || aborted ? {} : { fault }) };
}
