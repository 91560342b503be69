import type { CellComparison, LoadComparison } from './load.ts';
import type { Difference } from './load-difference.ts';

function ms(value: number | null, sign = false): string {
  if (value === null) return 'none';
  const text = Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
  return sign && value > 0 ? `+${text}` : text;
}

function differenceLine(difference: Difference): string {
  const { latency, percentile, beforeMs, afterMs, differenceMs, intervalMs, smallestShownMs, verdict, decides } =
    difference;
  const interval = intervalMs === null ? 'no interval' : `${ms(intervalMs[0], true)} to ${ms(intervalMs[1], true)}`;
  const least = smallestShownMs === null ? '' : `; ${ms(smallestShownMs)} ms would have been shown`;
  const few = decides ? '' : ' (too few samples above it to decide)';
  return `  ${latency} ${percentile}: ${ms(beforeMs)} → ${ms(afterMs)} ms, ${ms(differenceMs, true)} (${interval})${least}: ${verdict}${few}`;
}

function cellLines(cell: CellComparison): string[] {
  const why = cell.reasons.length === 0 ? '' : ` (${cell.reasons.join('; ')})`;
  return [`load ${cell.profile} ${cell.operation}: ${cell.verdict}${why}`, ...cell.differences.map(differenceLine)];
}

/** The comparison for people. */
export function loadLines(comparison: LoadComparison | null): readonly string[] {
  if (comparison === null) return ['load: not in both runs'];
  const { cells, onlyBefore, onlyAfter, runs } = comparison;
  const one = runs.some((count) => count < 2);
  return [
    ...cells.flatMap(cellLines),
    ...onlyBefore.map((name) => `load ${name}: only before`),
    ...onlyAfter.map((name) => `load ${name}: only after`),
    one
      ? 'load: one run on a side does not show how far two runs of the same lie apart; below 3 % or 0.25 ms nothing is called a difference'
      : `load: ${runs[0]} runs before, ${runs[1]} after; the spread between them counts`,
  ];
}
