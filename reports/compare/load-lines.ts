import { counted } from '../../lib/numbers.ts';
import type { CellComparison, LoadComparison } from './load.ts';
import { type Difference, FEWEST_RUNS } from './load-difference.ts';

function ms(value: number | null, sign = false): string {
  if (value === null) return 'none';
  const text = Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
  return sign && value > 0 ? `+${text}` : text;
}

function differenceLine(difference: Difference): string {
  const { latency, percentile, beforeMs, afterMs, differenceMs, intervalMs, smallestShownMs, verdict, decides } =
    difference;
  const interval = intervalMs === null ? 'no interval' : `${ms(intervalMs[0], true)} to ${ms(intervalMs[1], true)}`;
  const least = smallestShownMs === null ? '' : `; smallest detectable change ${ms(smallestShownMs)} ms`;
  const few = decides ? '' : ' (too few samples above it to decide)';
  return `  ${latency} ${percentile}: ${ms(beforeMs)} → ${ms(afterMs)} ms, ${ms(differenceMs, true)} (${interval})${least}: ${verdict}${few}`;
}

const DIFFERS = {
  one: 'differs between these two runs',
  few: 'differs between these runs',
} as const;

/** The verdict in words. Few runs say nothing of others. */
export function verdictWords({ verdict, runs }: CellComparison): string {
  if (verdict !== 'differs') return verdict;
  return runs === 1 ? DIFFERS.one : DIFFERS.few;
}

function cellLines(cell: CellComparison): string[] {
  const why = cell.reasons.length === 0 ? '' : ` (${cell.reasons.join('; ')})`;
  return [
    `load ${cell.profile} ${cell.operation}: ${verdictWords(cell)}${why}`,
    ...cell.differences.map(differenceLine),
  ];
}

/** How many runs stand on each side, and what that is enough for. */
export function fewRunsWords({ runs }: LoadComparison): string {
  if (runs.every((count) => count >= FEWEST_RUNS)) {
    return `${runs[0]} runs before, ${runs[1]} after; the spread between them counts`;
  }
  return (
    `${counted(runs[0], 'run')} before and ${counted(runs[1], 'run')} after cannot show how much runs of the same target differ by chance, so nothing is called worse; ` +
    `name ${FEWEST_RUNS} on each side with --also-before and --also-after`
  );
}

/** The comparison for people. */
export function loadLines(comparison: LoadComparison | null): readonly string[] {
  if (comparison === null) return ['load: not in both runs'];
  const { cells, onlyBefore, onlyAfter } = comparison;
  return [
    ...cells.flatMap(cellLines),
    ...onlyBefore.map((name) => `load ${name}: only before`),
    ...onlyAfter.map((name) => `load ${name}: only after`),
    `load: ${fewRunsWords(comparison)}`,
  ];
}
