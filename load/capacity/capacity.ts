import type { NamedPool } from '../../lib/client/anc/pool.ts';
import { steadyReads } from '../../lib/client/http/retrying-reads.ts';
import { type AncOperationName, PROFILES, type ProfileName } from '../../lib/contract/anc.ts';
import { TargetError, UsageError } from '../../lib/errors.ts';
import { bracketOf, decidingSteps, trialOf } from '../../lib/judge/capacity/settle.ts';
import type { CellReport } from '../../lib/records/load.ts';
import { clearPool } from '../endpoints/clear-pool.ts';
import { applies, type LoadContext } from '../endpoints/context.ts';
import { readInitialState } from '../endpoints/initial-state.ts';
import { poolState } from '../endpoints/pool-state.ts';
import { probeAnc } from '../endpoints/probe-anc.ts';
import { type AbortLimits, DEFAULT_ABORT } from '../plan/abort-rules.ts';
import { CAPS, checkAddresses, checked, checkPolicy } from '../plan/limits.ts';
import type { LoadPlan } from '../plan/plan.ts';
import type { LoadDeps, LoadResult } from '../run/run.ts';
import { runTry } from '../run/try-cell.ts';
import { type NextStep, nextStep, nextSweepRate, type SearchOptions } from './search.ts';
import { highestRate, stepCell } from './step-cell.ts';

/** What is searched, and within which bounds. */
export interface CapacityOptions {
  readonly profile: ProfileName;
  readonly operation: AncOperationName;
  readonly pool: NamedPool;
  readonly policy: string;
  readonly timeoutMs: number;
  /** Connections of the search; the sweep has its own. */
  readonly connections: number;
  /** Numbers of connections to compare; none leaves the sweep out. */
  readonly sweep: readonly number[];
  /** Highest rate that may be offered; the caps and the size of the pool bound it too. */
  readonly maxRatePerSecond?: number;
  readonly allowDisruptivePolicy?: boolean;
  readonly takeOver?: boolean;
  /** Abort rules other than the usual ones; they end the step, and those about the login the search. */
  readonly abort?: Partial<AbortLimits>;
}

/** A search as it will go, before anything is sent. */
export interface CapacityPlan extends CapacityOptions {
  readonly search: SearchOptions;
}

/** Rates below this are no service: the search goes no lower. */
const LOWEST_PER_SECOND = 5;
const TOLERANCE = 0.05;
const MOST_STEPS = 30;
/** Wait before a step that proved nothing is repeated: what kept the generator from its work is often over by then. */
const PAUSE_MS = 3000;

/** Plans a search. Sends nothing. Throws `UsageError` where it cannot be carried out. */
export function planCapacity(options: CapacityOptions): CapacityPlan {
  checkPolicy(options);
  checkAddresses({ operations: [options.operation], pool: options.pool });
  checked('timeoutMs', options.timeoutMs);
  for (const count of [options.connections, ...options.sweep]) checked('connections', count);
  const start = PROFILES[options.profile].ancPerSecond;
  const allowed = checked('ratePerSecond', options.maxRatePerSecond ?? CAPS.ratePerSecond);
  const highest = Math.min(allowed, highestRate(options.pool.size, options.connections));
  if (highest < Math.min(start, allowed)) {
    const message = `${options.pool.size} endpoints allow steps of at most ${Math.max(highest, 0)}/s`;
    throw new UsageError('pool-too-small', message, {
      hint: `name at least ${Math.ceil(start * 8)}: each arrival of a step takes an endpoint of its own`,
    });
  }
  const search = {
    start,
    lowest: Math.min(LOWEST_PER_SECOND, highest),
    highest,
    tolerance: TOLERANCE,
    steps: MOST_STEPS,
  };
  return { ...options, search };
}

/** The plan that preparation and clean-up work on: one cell that reaches every endpoint of the pool. */
function wholePool(options: CapacityPlan): LoadPlan {
  const { profile, operation, pool, policy, connections, timeoutMs } = options;
  const targetPerSecond = options.search.start;
  const cell = {
    ...{ profile, operation, connections, timeoutMs, targetPerSecond },
    sessions: PROFILES[profile].sessions,
    durationSeconds: 1,
    warmupSeconds: 0,
    bucketSeconds: 1,
    pool: { offset: 0, size: pool.size, seed: 1, source: pool.source },
    endpointCount: pool.size,
    reuseSeconds: pool.size / targetPerSecond,
  };
  return {
    tier: 'quick',
    pool,
    policy,
    takeOver: options.takeOver === true,
    keepAlive: true,
    backgroundPerSecond: 0,
    abort: { ...DEFAULT_ABORT, ...options.abort },
    disjointChains: false,
    cells: [cell],
  };
}

interface Searching {
  readonly context: LoadContext;
  readonly options: CapacityPlan;
  readonly deps: LoadDeps;
  /** Every try so far. */
  readonly steps: CellReport[];
}

function stopOnRefusal({ facts }: CellReport): void {
  if (!facts.failures.some(({ kind }) => kind === 'auth')) return;
  throw new TargetError('refused-login', 'the target refused the login during a step', {
    hint: 'the search stops at once, because accounts are suspended after a few refused logins',
  });
}

/** One step, and once more where it proves nothing; `again` false leaves that out. */
async function runStep(
  { context, options, deps, steps }: Searching,
  { ratePerSecond, near }: NextStep,
  given: { readonly purpose: 'search' | 'sweep'; readonly connections: number; readonly again: boolean },
): Promise<CellReport> {
  const { profile, operation, timeoutMs } = options;
  const number = 1 + Math.max(0, ...steps.map(({ facts }) => facts.step?.number ?? 0));
  const step = { number, purpose: given.purpose };
  const shape = { profile, operation, timeoutMs, ratePerSecond, near, step, connections: given.connections };
  const [whole] = context.plan.cells;
  const want = whole !== undefined && applies(whole) ? 'nothing' : 'policy';
  for (const attempt of [1, 2] as const) {
    if (attempt === 2) await deps.clock.sleep(PAUSE_MS, context.signal);
    context.signal?.throwIfAborted();
    const cell = stepCell(context, shape, want, number);
    deps.onProgress({ kind: 'cell-start', cell, index: number - 1, of: number, attempt });
    const { report, aborted } = await runTry(context, cell, attempt, deps);
    steps.push(report);
    deps.onProgress({ kind: 'cell-end', cell, index: number - 1, of: number, report });
    stopOnRefusal(report);
    if (aborted || report.verdict !== 'invalid' || !given.again || attempt === 2) return report;
  }
  throw new Error('unreachable');
}

async function search(searching: Searching): Promise<void> {
  const { options, steps } = searching;
  const found = () => decidingSteps(steps).map(trialOf);
  const given = { purpose: 'search', connections: options.connections, again: true } as const;
  for (let next = nextStep([], options.search); next !== null; next = nextStep(found(), options.search)) {
    await runStep(searching, next, given);
  }
}

async function sweep(searching: Searching): Promise<void> {
  const { options, steps } = searching;
  const { low, high } = bracketOf(decidingSteps(steps).map(trialOf));
  const failed = high !== null && high.failed > 0 ? high : null;
  const ceiling = (failed ?? low ?? high)?.ratePerSecond;
  if (ceiling === undefined) return;
  for (const connections of options.sweep) {
    // The search has been there.
    if (connections === options.connections) continue;
    const trials: CellReport[] = [];
    const asTrials = () => trials.map((step) => ({ ...trialOf(step), achievedPerSecond: step.achievedPerSecond }));
    for (let rate = nextSweepRate([], ceiling); rate !== null; rate = nextSweepRate(asTrials(), ceiling)) {
      const given = { purpose: 'sweep', connections, again: trials.length > 0 } as const;
      trials.push(await runStep(searching, { ratePerSecond: rate, near: trials.length > 0 }, given));
    }
  }
}

/**
 * Looks for the highest rate that holds, then compares numbers of connections. Every step is a cell of its own: prepared, read
 * back, recorded and judged like any other. The pool is cleared at the end, whatever happens.
 */
export async function runCapacity(options: CapacityPlan, deps: LoadDeps): Promise<LoadResult> {
  const client = steadyReads(deps.client.view({ records: 'faults', ancJournal: 'covered' }));
  const { clock, signal } = deps;
  const context: LoadContext = { plan: wholePool(options), client, clock, signal, state: poolState(options.pool.size) };
  const steps: CellReport[] = [];
  const searching = { context, options, deps, steps };
  let fault: unknown;
  try {
    await readInitialState(context);
    await probeAnc({ ...context, client: deps.client.view({ ancJournal: 'covered' }) });
    await search(searching);
    await sweep(searching);
  } catch (thrown) {
    fault = thrown;
  }
  const aborted = signal?.aborted === true;
  const cleanup = await clearPool(context, (endpoints) => deps.onProgress({ kind: 'cleaning', endpoints }));
  return { cells: steps, cleanup, aborted, ...(fault === undefined || aborted ? {} : { fault }) };
}
