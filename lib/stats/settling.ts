import { changePoints, LEAST_VALUES } from './change-points.ts';
import { median } from './trend.ts';

/** Smaller changes of a level say nothing: a share of the larger one, and half a millisecond. */
const LEAST_SHARE = 0.1;
const LEAST_MS = 0.5;
/** Values at the begin that a level of their own needs. */
const LEAST_BEGIN = 3;

const matters = (before: number, after: number) =>
  Math.abs(after - before) >= Math.max(LEAST_MS, LEAST_SHARE * Math.max(before, after));

/** Values to cut off the beginning, at most half, so that the standard error of the others' mean is smallest (MSER, White 1997). */
function truncation(values: readonly number[]): number {
  let [sum, squares] = [0, 0];
  let best = { error: Number.POSITIVE_INFINITY, from: 0 };
  for (let from = values.length - 1; from >= 0; from -= 1) {
    const value = values[from] ?? 0;
    sum += value;
    squares += value * value;
    const count = values.length - from;
    const error = (squares - (sum * sum) / count) / (count * count);
    if (from <= values.length / 2 && error <= best.error) best = { error, from };
  }
  return best.from;
}

/**
 * Index from which on a level in milliseconds stays: behind the begin that MSER cuts off, 0 if that is on the same level. Null if
 * the level changes after it, so that it never settled; undefined if there are too few values.
 */
export function settledFrom(levels: readonly number[]): number | null | undefined {
  if (levels.length < 2 * LEAST_VALUES) return undefined;
  const cut = truncation(levels);
  const hasBegin = cut >= LEAST_BEGIN && matters(median(levels.slice(0, cut)), median(levels.slice(cut)));
  const from = hasBegin ? cut : 0;
  const changes = changePoints(levels.slice(from)) ?? [];
  return changes.some(({ before, after }) => matters(before, after)) ? null : from;
}
