import { isAnsweredDespite } from '../../lib/judge/cell/rules/despite.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { LoadContext, Refusal } from '../endpoints/context.ts';
import type { PlannedCell } from '../plan/plan.ts';
import type { ConnectionBook } from './connections.ts';
import { extension, isUndecided } from './extend-cell.ts';
import { runTry, type TryDeps } from './try-cell.ts';

interface Course {
  readonly book: ConnectionBook;
  /** Told of a cell that reaches more endpoints than planned, before it runs. */
  readonly include: (cell: PlannedCell) => void;
  /** Cells run elsewhere, and as long as their manifests say. */
  readonly isElsewhere: boolean;
}

/** The rule that stops a cell for what a cap on connections looks like. */
const REFUSED_RULE = 'refused-connections';

/**
 * The cell that decides more than a try did; undefined where the try is the last word. It has another number of connections, or is longer
 * where the cell ended before it showed whether the target catches up, or is the same where the generator stuttered.
 */
async function nextTry(
  context: LoadContext,
  cell: PlannedCell,
  report: CellReport,
  { book, include, isElsewhere }: Course,
): Promise<PlannedCell | undefined> {
  const { stopped } = report.facts;
  if (stopped !== undefined && stopped.rule !== REFUSED_RULE) return undefined;
  const other = book.after(cell, report);
  if (other !== undefined) return other;
  // Another try would be answered in the same way.
  if (stopped !== undefined || isAnsweredDespite(report)) return undefined;
  const longer = isUndecided(report) && !isElsewhere ? await extension(context, cell) : undefined;
  if (longer !== undefined) include(longer);
  return longer ?? (report.verdict === 'invalid' ? cell : undefined);
}

export async function runPlanned(
  context: LoadContext,
  index: number,
  course: Course,
  deps: TryDeps,
): Promise<CellReport | undefined> {
  const { cells } = context.plan;
  const planned = cells[index];
  if (planned === undefined) return undefined;
  let cell = course.book.sized(planned);
  for (const attempt of [1, 2] as const) {
    deps.onProgress({ kind: 'cell-start', cell, index, of: cells.length, attempt });
    const { report, isLast } = await runTry(context, cell, attempt, deps);
    deps.onProgress({ kind: 'cell-end', cell, index, of: cells.length, report });
    if (attempt === 2 || isLast) return report;
    const next = await nextTry(context, cell, report, course);
    if (next === undefined) return report;
    cell = next;
  }
  return undefined;
}

export function lackOf({ anc }: LoadContext, { operation }: PlannedCell): Refusal | undefined {
  return anc?.refused?.[operation];
}
