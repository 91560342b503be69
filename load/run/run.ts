import { TargetError } from '../../lib/errors.ts';
import { mayBeOfPool, stopWords } from '../../lib/judge/cell/rules/rule.ts';
import { sizingWords } from '../../lib/judge/cell/sizing.ts';
import type { RunWriter } from '../../lib/records/folder/writer.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { SAME_REFUSAL } from '../../lib/records/vocabulary.ts';
import { answerWords } from '../../lib/said.ts';
import type { LoadContext } from '../endpoints/context.ts';
import { othersInPoolOf } from '../endpoints/others.ts';
import type { LoadPlan, PlannedCell } from '../plan/plan.ts';
import { recordNotRun } from './cell-facts.ts';
import { connectionBook, runPlanned } from './planned-cell.ts';
import { type PoolDeps, type PoolResult, withPreparedPool } from './prepared-pool.ts';
import type { TryDeps } from './try-cell.ts';

export interface LoadDeps extends TryDeps, PoolDeps {
  readonly writer: TryDeps['writer'] & Partial<Pick<RunWriter, 'facts'>>;
}

/** Throws `TargetError` if a cell or a step met a refused login. */
export function stopOnRefusedLogin(report: CellReport): void {
  const refused = report.facts.failures.find(({ status }) => status === 401);
  if (refused === undefined) return;
  const answer = answerWords(refused.status, refused.example ?? '');
  throw new TargetError('refused-login', `${report.profile} ${report.operation} met a refused login: ${answer}`, {
    hint: 'it stopped at once, because accounts are locked after a few refused logins',
  });
}

function stopByRule({ facts, profile, operation }: CellReport): void {
  // What one operation is refused says nothing against the others.
  if (facts.stopped === undefined || facts.stopped.rule === SAME_REFUSAL) return;
  throw new TargetError('stopped-by-rule', `${profile} ${operation} was stopped: ${stopWords(facts, facts.stopped)}`, {
    hint: 'no further load was begun: find out why, and run it again',
  });
}

/** Says what was learned of the target before the first cell, and what is done about it. */
function tellFindings({ anc }: LoadContext, [first]: readonly PlannedCell[], tell: (text: string) => void): void {
  const known = anc?.doneDespite;
  if (known !== undefined) {
    tell(`the target answers ${answerWords(known.status, known.says)} to what it carries out: no cell can be met`);
  }
  const words = first && sizingWords({ plan: first, sizing: first.sizing });
  if (words !== undefined) tell(words);
}

async function runCells(
  context: LoadContext,
  include: (cell: PlannedCell) => void,
  deps: LoadDeps,
  reports: CellReport[],
): Promise<void> {
  const tell = (text: string) => deps.onProgress({ kind: 'told', text });
  const isElsewhere = deps.runCell !== undefined;
  const book = connectionBook(context, isElsewhere);
  const { cells } = context.plan;
  const lackOf = ({ operation }: PlannedCell) => context.anc?.refused?.[operation];
  const runnable = cells.filter((cell) => lackOf(cell) === undefined);
  if (runnable.length > 0) await book.settle();
  tellFindings(context, runnable.map(book.sized), tell);
  for (const [index, cell] of cells.entries()) {
    deps.signal?.throwIfAborted();
    const lack = lackOf(cell);
    if (lack !== undefined) {
      tell(`${cell.profile} ${cell.operation} is not run: ${lack.why}`);
      recordNotRun(context, cell, lack, deps);
      continue;
    }
    const report = await runPlanned(context, index, { book, include, isElsewhere }, deps);
    if (report === undefined) continue;
    reports.push(report);
    stopOnRefusedLogin(report);
    stopByRule(report);
  }
}

/** Once the pool is cleared, whoever else writes to it is seen best: what failed of a cell before may be their work, and its facts say so. */
async function noteOthers(context: LoadContext, cells: readonly CellReport[], { writer }: LoadDeps): Promise<void> {
  const open = cells.filter((cell) => cell.verdict === 'violated' && mayBeOfPool(cell));
  const sharedPool = open.length === 0 ? undefined : await othersInPoolOf(context);
  if (sharedPool !== undefined) for (const { facts } of open) writer.facts?.({ ...facts, sharedPool });
}

/** Carries out a plan cell after cell. The pool is cleared whatever happens. */
export async function runLoad(plan: LoadPlan, deps: LoadDeps): Promise<PoolResult> {
  const cells: CellReport[] = [];
  let reached: LoadContext | undefined;
  const result = await withPreparedPool(plan, deps, (context, include) => {
    reached = context;
    return runCells(context, include, deps, cells);
  });
  if (reached !== undefined && !result.aborted) await noteOthers(reached, cells, deps);
  return result;
}
