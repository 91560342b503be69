import { groupBy } from '../../lib/group-by.ts';
import { loadCellName } from '../../lib/judge/cell/judge-load.ts';
import { present } from '../../lib/present.ts';
import { type CellReport, OUTCOME, type Samples, UNSERVED } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { judgePairs } from '../../lib/stats/anytime.ts';
import { type Blocks, toBlocks } from '../../lib/stats/block-interval.ts';
import { count, counted, rate, verdictWord } from '../../lib/text.ts';
import { type Difference, differences, loadDifferences } from './load-difference.ts';

/** A run, and how to read the samples of its cells by cell id; without them nothing can be told from chance. */
export interface LoadRun {
  readonly report: Report;
  /** Read when they are needed and not kept: hours of several runs are large. */
  readonly samples: ReadonlyMap<string, () => Samples | null>;
}

/** Blocks of time a window is cut into: long enough to hold what is alike, enough of them to vary. */
const BLOCKS = 20;
const US = 1e6;

interface RunOfCell {
  readonly cell: CellReport;
  readonly samples: (() => Samples | null) | undefined;
}

function runsOf(runs: readonly LoadRun[]): ReadonlyMap<string, readonly RunOfCell[]> {
  const all = runs.flatMap(({ report, samples }) =>
    (report.load?.cells ?? []).map((cell): RunOfCell => ({ cell, samples: samples.get(cell.id) })),
  );
  return groupBy(all, ({ cell }) => loadCellName(cell));
}

const LATENCIES = ['service', 'response'] as const satisfies readonly Difference['latency'][];

const NONE: Blocks = { count: 0, parts: [] };

/** A latency of a run in blocks of time: service time of the successes; response time, with what was not served above all of it. */
function blocksOf({ cell, samples }: RunOfCell, latency: Difference['latency']): Blocks {
  const { warmupSeconds, durationSeconds } = cell.facts.plan;
  const [fromUs, toUs] = [warmupSeconds * US, Math.max(warmupSeconds, durationSeconds) * US];
  const rows = samples?.() ?? null;
  if (rows === null) return NONE;
  const { dueUs, outcome, serviceUs, responseUs } = rows;
  const [times, otherwise] = latency === 'service' ? [serviceUs, undefined] : [responseUs, UNSERVED];
  const valueAt = (row: number) => {
    const at = dueUs[row] ?? -1;
    if (at < fromUs || at >= toUs) return undefined;
    return outcome[row] === OUTCOME.success ? times[row] : otherwise;
  };
  return toBlocks({ at: dueUs, valueAt }, fromUs, toUs, BLOCKS);
}

function obstacles(before: readonly RunOfCell[], after: readonly RunOfCell[]): readonly string[] {
  const all = [...before, ...after];
  if (all.some(({ cell }) => cell.verdict === 'invalid')) return ['a cell is invalid: its figures say nothing'];
  if (all.some(({ samples }) => samples === undefined))
    return ['the samples are not there: name run folders, not reports'];
  if (all.some(({ cell }) => cell.succeeded === 0)) return ['a cell has no success'];
  return loadDifferences(all.map(({ cell }) => cell.facts)).map((text) => `not the same load: ${text}`);
}

/** What passed in all runs before and failed in all after is worse; that latencies are takes several runs on each side. */
function overall(found: readonly Difference[], was: CellReport['verdict'], is: CellReport['verdict'], steady: boolean) {
  const words = found.flatMap(({ decides, verdict }) => (decides ? [verdict] : []));
  if (was === 'met' && is === 'violated') words.push(steady ? 'worse' : 'differs');
  if (was === 'violated' && is === 'met') words.push(steady ? 'better' : 'differs');
  return (['worse', 'better', 'differs'] as const).find((word) => words.includes(word)) ?? 'no difference shown';
}

/** Of several runs the worst verdict stands for all; `steady` where all say the same. */
function verdictOf(runs: readonly RunOfCell[]): { readonly verdict: CellReport['verdict']; readonly steady: boolean } {
  const verdicts = runs.map(({ cell }) => cell.verdict);
  const verdict = (['invalid', 'violated'] as const).find((word) => verdicts.includes(word)) ?? 'met';
  return { verdict, steady: verdicts.every((word) => word === verdict) };
}

function linesOf(before: readonly RunOfCell[], after: readonly RunOfCell[]) {
  const line = (name: string, of: (cell: CellReport) => string) => {
    const each = (side: readonly RunOfCell[]) => side.map(({ cell }) => of(cell));
    return { name, before: each(before).join(', '), after: each(after).join(', ') };
  };
  return [
    line('achieved', ({ achievedPerSecond }) => `${rate(achievedPerSecond)}/s`),
    line('dropped', ({ dropped }) => count(dropped)),
    line('failed', ({ failed }) => count(failed)),
  ];
}

/** One cell in both runs; `runs` is the number of those on the side with the fewer. */
function compareCell(before: readonly RunOfCell[], after: readonly RunOfCell[]) {
  const { profile = '', operation = '' } = before[0]?.cell ?? {};
  const [was, is] = [verdictOf(before), verdictOf(after)];
  const runs = Math.min(before.length, after.length);
  const common = { profile, operation, before: was.verdict, after: is.verdict, runs, lines: linesOf(before, after) };
  const reasons = obstacles(before, after);
  if (reasons.length > 0) return { ...common, verdict: 'not comparable' as const, reasons, differences: [] };
  // The samples are read for each latency anew: both of several runs of hours are too much to hold.
  const found = LATENCIES.flatMap((latency) => {
    const blocks = (run: RunOfCell) => blocksOf(run, latency);
    return differences(latency, before.map(blocks), after.map(blocks));
  });
  const changed =
    was.verdict === is.verdict ? [] : [`${verdictWord(was.verdict)} before, ${verdictWord(is.verdict)} after`];
  const verdict = overall(found, was.verdict, is.verdict, was.steady && is.steady);
  return { ...common, verdict, reasons: changed, differences: found };
}

export type CellComparison = ReturnType<typeof compareCell>;

/** Cell by cell; several runs on a side stand for each other, and the spread between them counts. Null if a side has none. */
export function compareLoad(before: readonly LoadRun[], after: readonly LoadRun[]) {
  const [a, b] = [runsOf(before), runsOf(after)];
  if (a.size === 0 || b.size === 0) return null;
  return {
    cells: [...a].flatMap(([name, runs]) => {
      const others = b.get(name);
      return others === undefined ? [] : [compareCell(runs, others)];
    }),
    onlyBefore: [...a.keys()].filter((name) => !b.has(name)),
    onlyAfter: [...b.keys()].filter((name) => !a.has(name)),
    runs: [before.length, after.length] as const,
  };
}
export type LoadComparison = NonNullable<ReturnType<typeof compareLoad>>;

export const PAIR_PERCENTILES = { p50: 'p50Ms', p90: 'p90Ms', p95: 'p95Ms', p99: 'p99Ms' } as const;
export type PairPercentile = keyof typeof PAIR_PERCENTILES;

/** Two runs that belong together: one of each target, one right after the other. */
export type RunPair = readonly [a: Report, b: Report];

const ALPHA = 0.01;

const cellsOf = ({ load }: Report): readonly CellReport[] => load?.cells ?? [];

/** Chance that all of so many pairs in which the targets differ fall on one side; at most so large however often one looks. */
const oneSided = (pairs: number): number => 0.5 ** pairs;

function pairedCell(
  name: string,
  pairs: readonly (readonly [CellReport, CellReport])[],
  percentile: PairPercentile,
  margin: number,
) {
  const decided = pairs.filter((pair) => pair.every(({ verdict }) => verdict !== 'invalid'));
  // A cell that was run again for longer, to decide whether the target catches up, is no match for the others.
  const seconds = Math.min(...decided.flat().map(({ facts }) => facts.plan.durationSeconds));
  const valid = decided.filter((pair) => pair.every(({ facts }) => facts.plan.durationSeconds === seconds));
  const leftOut = (number: number, why: string) =>
    number > 0 && `${number} of ${pairs.length} pairs are left out: ${why}`;
  const reasons = present(
    leftOut(pairs.length - decided.length, 'a cell is invalid'),
    leftOut(decided.length - valid.length, 'a cell was run for longer'),
  );
  const count = (side: 0 | 1) => valid.filter((pair) => pair[side].verdict === 'violated').length;
  const violated = [count(0), count(1)] as const;
  const unlike = loadDifferences(valid.flat().map(({ facts }) => facts));
  const open = (why: readonly string[]) => ({
    ...{ name, violated, paired: undefined, verdict: 'not comparable' as const, reasons: why },
  });
  if (unlike.length > 0) return open(unlike.map((text) => `not the same load: ${text}`));
  const ratios = valid.flatMap(([a, b]) => {
    const [before, after] = [a, b].map(({ serviceTime }) => serviceTime[PAIR_PERCENTILES[percentile]]);
    return before == null || after == null || before <= 0 || after <= 0 ? [] : [Math.log(after / before)];
  });
  if (ratios.length < 2) return open([...reasons, 'fewer than two pairs']);
  const paired = judgePairs(ratios, margin);
  const [was, is] = violated;
  if (was + is === 0) return { name, violated, paired, verdict: paired.verdict, reasons };
  const words = [...reasons, `violated in ${was} and ${is} of ${valid.length} pairs`];
  const onlySecond = valid.filter(([a, b]) => a.verdict === 'met' && b.verdict === 'violated').length;
  const isWorse = was === 0 && onlySecond > 0 && oneSided(onlySecond) <= ALPHA;
  // A target that does not hold its rate is not equivalent to anything by its latency.
  const verdict = isWorse || paired.verdict === 'worse' ? ('worse' as const) : ('undecided' as const);
  return { name, violated, paired, verdict, reasons: words };
}

/** One cell over all pairs; `paired` is absent if fewer than two pairs could be compared. */
type PairedCell = ReturnType<typeof pairedCell>;

/** Compares two targets over pairs of runs, cell by cell; `margin` is the share within which they count as equivalent. */
export function comparePairs(
  runs: readonly RunPair[],
  percentile: PairPercentile,
  margin: number,
): readonly PairedCell[] {
  const found = runs.flatMap(([a, b]) =>
    cellsOf(a).flatMap((cell) => {
      const other = cellsOf(b).find((one) => loadCellName(one) === loadCellName(cell));
      return other === undefined ? [] : [[cell, other] as const];
    }),
  );
  return [...groupBy(found, ([cell]) => loadCellName(cell))].map(([name, pairs]) =>
    pairedCell(name, pairs, percentile, margin),
  );
}

const percent = (ratio: number) => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;

export function pairLines(cells: readonly PairedCell[], percentile: PairPercentile, margin: number): readonly string[] {
  return cells.map(({ name, verdict, reasons, paired }) => {
    const word = verdict === 'equivalent' ? `equivalent within ${Math.round(margin * 100)} %` : verdict;
    const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
    if (paired === undefined) return `${name}: ${word}${why}`;
    const { ratio, interval, pairs } = paired;
    const bounds = interval === null ? 'no interval yet' : `95 % interval ${interval.map(percent).join(' to ')}`;
    return `${name}: ${word}${why}; service ${percentile} ${percent(ratio)}, ${bounds}, ${counted(pairs, 'pair')}`;
  });
}
