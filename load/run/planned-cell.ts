import { defined } from '../../lib/defined.ts';
import { isAnsweredDespite } from '../../lib/judge/cell/rules/rule.ts';
import { END_RULE } from '../../lib/judge/cell/rules/target.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { LATENCY_MARGIN, PAUSE_MS, type Sizing } from '../../lib/records/load/parts.ts';
import { median } from '../../lib/stats/trend.ts';
import { type LoadContext, reachableOf } from '../endpoints/context.ts';
import { holdersOf } from '../endpoints/initial-state.ts';
import { connectionsFor, LOOKS, type PlannedCell, proposed } from '../plan/plan.ts';
import { CAPS, DEFAULT_CONNECTIONS } from '../plan/spec.ts';
import { capOn, runTry, type TryDeps } from './try-cell.ts';

/** Transactions in flight that would have dropped no arrival; 0 if the target stalled too long, as a second try would hide that. */
function neededBy({ facts, serviceTime, stalls = [] }: CellReport): number {
  const arrivalsIn = (ms: number) => (facts.plan.targetPerSecond * ms) / 1000;
  const stall = arrivalsIn(Math.max(0, ...stalls.map(({ ms }) => ms)));
  if (stall > DEFAULT_CONNECTIONS) return 0;
  return Math.max(arrivalsIn(LATENCY_MARGIN * (serviceTime.meanServedMs ?? 0)), stall + arrivalsIn(PAUSE_MS));
}

const dropsCount = ({ rules }: CellReport): boolean =>
  rules.some(({ id, holds, effect }) => id === 'no-drops' && holds === false && effect === 'violated');

/** Tells how many connections cells have: given, or by the latency and what earlier cells showed; never more than the target takes. */
export function connectionBook(context: LoadContext, isElsewhere: boolean) {
  const { plan, client, anc } = context;
  const { connections: given } = plan.spec;
  const latencies = anc?.latenciesMs ?? [];
  const latencyMs = latencies.length === 0 ? undefined : median(latencies);
  let refused: Sizing['refused'];
  let raisedTo = 0;
  const wanted = (cell: PlannedCell): number => {
    if (given !== undefined) return given - LOOKS;
    const usual = latencyMs === undefined ? cell.connections : connectionsFor(cell, latencyMs);
    return Math.max(usual, Math.min(raisedTo, proposed(cell, raisedTo)));
  };
  const sized = (cell: PlannedCell): PlannedCell => {
    if (isElsewhere) return cell;
    const room = refused === undefined ? Number.POSITIVE_INFINITY : refused.served - LOOKS;
    const connections = Math.max(1, Math.min(wanted(cell), room));
    const isRaised = given === undefined && raisedTo > 0 ? (true as const) : undefined;
    return {
      ...cell,
      connections,
      sizing: { beside: LOOKS, ...defined({ given, latencyMs, refused, raised: isRaised }) },
    };
  };
  return {
    sized,
    /** Tries, once, whether the target takes as many connections as the cells want. */
    async settle(): Promise<void> {
      if (!isElsewhere) refused = await capOn(client, Math.max(...plan.cells.map((cell) => sized(cell).connections)));
    },
    /** The cell to run once more on another number of connections, where that is what a try lacked; undefined if it is not. */
    after(cell: PlannedCell, report: CellReport): PlannedCell | undefined {
      if (isElsewhere) return undefined;
      const seen = report.facts.sizing?.refused;
      if (seen !== undefined && seen.served < (refused?.served ?? Number.POSITIVE_INFINITY)) refused = seen;
      else if (given === undefined && dropsCount(report)) {
        const needed = neededBy(report);
        if (needed === 0) return undefined;
        raisedTo = Math.max(raisedTo, proposed(cell, needed));
      }
      const other = sized(cell);
      return other.connections === report.facts.plan.connections ? undefined : other;
    },
  };
}
type ConnectionBook = ReturnType<typeof connectionBook>;

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
  // Another try would be answered in the same way, or not be run because of what this one saw of others.
  if (stopped !== undefined || isAnsweredDespite(report)) return undefined;
  if (context.state.foreign !== undefined && !context.plan.spec.takeOver) return undefined;
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
