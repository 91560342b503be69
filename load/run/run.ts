import { removeCreated } from '../../lib/client/cleanup/cleanup.ts';
import { steadyReads } from '../../lib/client/http/retrying-reads.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { TargetError } from '../../lib/errors.ts';
import type { CellReport } from '../../lib/records/load.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import { clearPool } from '../endpoints/clear-pool.ts';
import type { LoadContext } from '../endpoints/context.ts';
import { readInitialState } from '../endpoints/initial-state.ts';
import { poolState } from '../endpoints/pool-state.ts';
import { probeAnc } from '../endpoints/probe-anc.ts';
import type { LoadPlan, PlannedCell } from '../plan/plan.ts';
import { startBackground } from './background-traffic.ts';
import { runTry, type TryDeps } from './try-cell.ts';

export interface LoadDeps extends TryDeps {
  /** Client in mode full, with the plan's pool and policy; its connections carry preparation and read-back. */
  readonly client: ErsClient;
  readonly clock: Clock;
  /** Ends k6 and what is under way; the pool is cleared all the same. */
  readonly signal?: AbortSignal;
}

/** What came of a load. Every try is in the record; `cells` holds the last one of each cell that was run. */
export interface LoadResult {
  readonly cells: readonly CellReport[];
  /** Endpoints that held a policy of this run, and those of them that hold none any more. */
  readonly cleanup: RunEnd['cleanup'];
  /** True where the run was aborted before the plan was through. */
  readonly aborted: boolean;
  /** Why the plan was not carried through: a fault of the target, the harness or the operator. */
  readonly fault?: unknown;
}

/** Runs a cell, and once more where the first try is invalid: a stutter of the generator proves nothing. */
async function runPlanned(context: LoadContext, cell: PlannedCell, index: number, deps: LoadDeps): Promise<CellReport> {
  const of = context.plan.cells.length;
  for (const attempt of [1, 2] as const) {
    deps.onProgress({ kind: 'cell-start', cell, index, of, attempt });
    const { report, aborted } = await runTry(context, cell, attempt, deps);
    deps.onProgress({ kind: 'cell-end', cell, index, of, report });
    const final = attempt === 2 || aborted || report.facts.stopped !== undefined;
    if (final || report.verdict !== 'invalid') return report;
  }
  throw new Error('unreachable');
}

function stopOnRefusedLogin(report: CellReport): void {
  if (!report.facts.failures.some(({ kind }) => kind === 'auth')) return;
  throw new TargetError('refused-login', `the target refused the login during ${report.profile} ${report.operation}`, {
    hint: 'the load stops at once, because accounts are suspended after a few refused logins',
  });
}

function both(a: RunEnd['cleanup'], b: RunEnd['cleanup']): RunEnd['cleanup'] {
  return { created: a.created + b.created, removed: a.removed + b.removed, residue: [...a.residue, ...b.residue] };
}

function stopByRule({ facts, profile, operation }: CellReport): void {
  if (facts.stopped === undefined) return;
  throw new TargetError('stopped-by-rule', `${profile} ${operation} was stopped: ${facts.stopped.text}`, {
    hint: 'the load ends here to spare the target; the cell and its reason are in the report',
  });
}

/**
 * Carries out a plan: looks at the pool, probes ANC once, then runs cell after cell, each prepared, read back, recorded
 * and judged. Whatever happens, the pool is cleared at the end and the proof or the residue returned; a fault is
 * returned beside it, so that what was recorded before it counts. Rejects only where cleaning up itself is at fault.
 */
export async function runLoad(plan: LoadPlan, deps: LoadDeps): Promise<LoadResult> {
  const { clock, signal } = deps;
  const client = steadyReads(deps.client.view({ records: 'faults', ancJournal: 'covered' }));
  const context: LoadContext = { plan, client, clock, signal, state: poolState(plan.pool.size) };
  const trafficClient = deps.client.view({ records: 'faults' });
  const withTraffic =
    plan.backgroundPerSecond === 0
      ? {}
      : { background: () => startBackground(trafficClient, plan.backgroundPerSecond) };
  const cells: CellReport[] = [];
  let fault: unknown;
  try {
    await readInitialState(context);
    await probeAnc({ ...context, client: deps.client.view({ ancJournal: 'covered' }) });
    for (const [index, cell] of plan.cells.entries()) {
      signal?.throwIfAborted();
      const report = await runPlanned(context, cell, index, { ...deps, ...withTraffic });
      cells.push(report);
      stopOnRefusedLogin(report);
      stopByRule(report);
    }
  } catch (thrown) {
    fault = thrown;
  }
  const aborted = signal?.aborted === true;
  const endpoints = await clearPool(context, (count) => deps.onProgress({ kind: 'cleaning', endpoints: count }));
  const cleanup =
    plan.backgroundPerSecond === 0 ? endpoints : both(endpoints, await removeCreated(trafficClient, { clock }));
  return { cells, cleanup, aborted, ...(fault === undefined || aborted ? {} : { fault }) };
}
