import { removeCreated } from '../../lib/client/cleanup/cleanup.ts';
import { TargetError } from '../../lib/errors.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import type { LoadContext } from '../endpoints/context.ts';
import { secondsOf } from '../plan/describe.ts';
import type { LoadPlan, PlannedCell } from '../plan/plan.ts';
import { startBackground } from './background-traffic.ts';
import { extension, isUndecided } from './extend-cell.ts';
import { type PoolDeps, type PoolResult, withPreparedPool } from './prepared-pool.ts';
import { runTry, type TryDeps } from './try-cell.ts';

export interface LoadDeps extends TryDeps, Pick<PoolDeps, 'client' | 'clock' | 'signal'> {}

/** What came of a load. Every try is in the record; `cells` holds the last one of each cell that was run. */
export interface LoadResult extends PoolResult {
  readonly cells: readonly CellReport[];
}

/**
 * Runs a cell, and once more where the first try decides nothing: the generator stuttered, or the cell ended before it showed whether
 * the target catches up. Then the second try is longer, and `include` is told of it before it runs.
 */
async function runPlanned(
  context: LoadContext,
  planned: PlannedCell,
  { index, include }: { readonly index: number; readonly include: (cell: PlannedCell) => void },
  deps: LoadDeps,
): Promise<CellReport> {
  const of = context.plan.cells.length;
  let cell = planned;
  for (const attempt of [1, 2] as const) {
    const leftSeconds = secondsOf([cell, ...context.plan.cells.slice(index + 1)]);
    deps.onProgress({ kind: 'cell-start', cell, index, of, attempt, leftSeconds });
    const { report, aborted } = await runTry(context, cell, attempt, deps);
    deps.onProgress({ kind: 'cell-end', cell, index, of, report });
    const final = attempt === 2 || aborted || report.facts.stopped !== undefined;
    const longer = !final && isUndecided(report) ? await extension(context, cell) : undefined;
    if (final || (report.verdict !== 'invalid' && longer === undefined)) return report;
    if (longer === undefined) continue;
    include(longer);
    cell = longer;
  }
  throw new Error('unreachable');
}

function stopOnRefusedLogin(report: CellReport): void {
  if (!report.facts.failures.some(({ kind }) => kind === 'auth')) return;
  throw new TargetError('refused-login', `the target refused the login during ${report.profile} ${report.operation}`, {
    hint: 'the load stopped at once, because accounts are locked after a few refused logins',
  });
}

function both(a: RunEnd['cleanup'], b: RunEnd['cleanup']): RunEnd['cleanup'] {
  return { created: a.created + b.created, removed: a.removed + b.removed, residue: [...a.residue, ...b.residue] };
}

function stopByRule({ facts, profile, operation }: CellReport): void {
  if (facts.stopped === undefined) return;
  throw new TargetError('stopped-by-rule', `${profile} ${operation} was stopped: ${facts.stopped.text}`, {
    hint: 'the load ended to protect the target; the report shows the cell and the reason',
  });
}

/**
 * Carries out a plan cell after cell, each prepared, read back, recorded and judged. The pool is cleared at the end, whatever
 * happens; so are the records of the background traffic.
 */
export async function runLoad(plan: LoadPlan, deps: LoadDeps): Promise<LoadResult> {
  const { clock, signal } = deps;
  const { backgroundPerSecond } = plan.spec;
  const trafficClient = deps.client.view({ records: 'faults' });
  const background = () => startBackground(trafficClient, backgroundPerSecond);
  const cells: CellReport[] = [];
  const onCleaning = (endpoints: number) => deps.onProgress({ kind: 'cleaning', endpoints });
  const result = await withPreparedPool(plan, { ...deps, onCleaning }, async (context, include) => {
    for (const [index, cell] of plan.cells.entries()) {
      signal?.throwIfAborted();
      const report = await runPlanned(
        context,
        cell,
        { index, include },
        backgroundPerSecond > 0 ? { ...deps, background } : deps,
      );
      cells.push(report);
      stopOnRefusedLogin(report);
      stopByRule(report);
    }
  });
  if (backgroundPerSecond === 0) return { ...result, cells };
  const records = await removeCreated(trafficClient, { clock });
  return { ...result, cells, cleanup: both(result.cleanup, records) };
}
