import { groupBy } from '../../lib/group-by.ts';
import { loadCellName } from '../../lib/judge/cell/judge-load.ts';
import { counted } from '../../lib/numbers.ts';
import { present } from '../../lib/present.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { judgePairs } from '../../lib/stats/paired.ts';
import { loadDifferences } from './load-difference.ts';

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
export type PairedCell = ReturnType<typeof pairedCell>;

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
