import { isAnsweredDespite } from '../../lib/judge/cell/rules/rule.ts';
import { END_RULE } from '../../lib/judge/cell/rules/target.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { type LoadContext, reachableOf } from '../endpoints/context.ts';
import { holdersOf } from '../endpoints/initial-state.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { CAPS } from '../plan/spec.ts';
import type { ConnectionBook } from './connections.ts';
import { runTry, type TryDeps } from './try-cell.ts';

/** An extension shorter than this share of the cell would decide nothing. */
const LEAST_SHARE = 0.5;

/** True if nothing but the number in flight at the end speaks against the target: a pause may look like that too. */
function isUndecided({ verdict, rules, facts }: CellReport): boolean {
  const broken = rules.filter(({ holds }) => holds === false);
  return verdict === 'violated' && facts.stopped === undefined && broken.every(({ id }) => id === END_RULE);
}

/** The cell with twice its measured time, as far as its part of the pool allows; undefined if that is too little. */
function longerCell(cell: PlannedCell): PlannedCell | undefined {
  const { durationSeconds, warmupSeconds, targetPerSecond, pool } = cell;
  const room = Math.floor((pool.size - cell.endpointCount) / targetPerSecond);
  const more = Math.min(durationSeconds, room, CAPS.durationSeconds - warmupSeconds - durationSeconds);
  if (more < durationSeconds * LEAST_SHARE) return undefined;
  const endpointCount = cell.endpointCount + Math.ceil(more * targetPerSecond);
  return { ...cell, durationSeconds: durationSeconds + more, endpointCount };
}

/** The longer cell that decides an undecided one, if the endpoints that it reaches beyond the plan hold no policy of others. */
async function extension(context: LoadContext, cell: PlannedCell): Promise<PlannedCell | undefined> {
  const longer = longerCell(cell);
  if (longer === undefined || context.plan.spec.takeOver) return longer;
  const known = new Set(context.plan.cells.flatMap((planned) => reachableOf(planned)));
  const held = await holdersOf(
    context,
    reachableOf(longer).filter((index) => !known.has(index)),
  );
  return held.size === 0 ? longer : undefined;
}

interface Course {
  readonly book: ConnectionBook;
  /** Told of a cell that reaches more endpoints than planned, before it runs. */
  readonly include: (cell: PlannedCell) => void;
  /** Cells run elsewhere, and as long as their manifests say. */
  readonly isElsewhere: boolean;
}

/** The rule that stops a cell for what a cap on connections looks like. */
const REFUSED_RULE = 'refused-connections';

/** The cell that decides more than a try: other connections, more time, or the same if the generator stuttered. Undefined if none. */
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
