import { END_RULE } from '../../lib/judge/cell/rules/end.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { type LoadContext, reachableOf } from '../endpoints/context.ts';
import { holdersOf } from '../endpoints/initial-state.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { CAPS } from '../plan/spec.ts';

/** An extension shorter than this share of the cell would decide nothing. */
const LEAST_SHARE = 0.5;

/** True where nothing but the number in flight at the end speaks against the target: a pause may look like that too. */
export function isUndecided({ verdict, rules, facts }: CellReport): boolean {
  const broken = rules.filter(({ holds }) => holds === false);
  return verdict === 'violated' && facts.stopped === undefined && broken.every(({ id }) => id === END_RULE);
}

/** The cell with twice its measured time, as far as its part of the pool allows; undefined where that is too little. */
function longerCell(cell: PlannedCell): PlannedCell | undefined {
  const { durationSeconds, warmupSeconds, targetPerSecond, endpointCount, pool } = cell;
  const room = Math.floor((pool.size - endpointCount) / targetPerSecond);
  const more = Math.min(durationSeconds, room, CAPS.durationSeconds - warmupSeconds - durationSeconds);
  if (more < durationSeconds * LEAST_SHARE) return undefined;
  return {
    ...cell,
    durationSeconds: durationSeconds + more,
    endpointCount: endpointCount + Math.ceil(more * targetPerSecond),
  };
}

/** The longer cell that decides an undecided one, if the endpoints that it reaches beyond the plan hold no policy of others. */
export async function extension(context: LoadContext, cell: PlannedCell): Promise<PlannedCell | undefined> {
  const longer = longerCell(cell);
  if (longer === undefined || context.plan.spec.takeOver) return longer;
  const known = new Set(context.plan.cells.flatMap((planned) => reachableOf(planned)));
  const held = await holdersOf(
    context,
    reachableOf(longer).filter((index) => !known.has(index)),
  );
  return held.size === 0 ? longer : undefined;
}
