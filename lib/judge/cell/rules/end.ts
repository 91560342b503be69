import type { CellFacts } from '../../../records/load/load.ts';
import { inFlightAt } from '../../../stats/in-flight.ts';
import { percentile } from '../../../stats/percentile.ts';
import { median } from '../../../stats/trend.ts';
import { type CellWindow, onTime } from '../window.ts';
import { type CellLimits, figure, type Judged, violated } from './rule.ts';

/** Growth in flight that proves nothing: 20 ms of arrivals, at least five transactions. */
export const allowedGrowth = ({ targetPerSecond }: CellFacts['plan'], limits: CellLimits): number =>
  Math.max(limits.growthLeast, limits.growthSeconds * targetPerSecond);

const MOMENTS = 2000;
const GROWTH_RATIO = 1.5;
const USUAL = 0.99;

/** Id of the rule: where nothing but it is broken, a longer cell decides. */
export const END_RULE = 'in-flight-at-end';

/**
 * Does the target keep up to the end? If it falls behind in the last seconds, more is in flight at the last arrival than
 * in the first half, which medians of halves cannot see. What was in flight before, and was worked off, is no sign of it.
 */
export function endRule(window: CellWindow, plan: CellFacts['plan'], limits: CellLimits): Judged {
  const early: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const middle = (window.fromUs + window.toUs) / 2;
  const every = Math.max(1, Math.ceil(window.count / 2 / MOMENTS));
  let seen = 0;
  for (const { dueUs } of window.arrivals) {
    if (dueUs < middle && seen++ % every === 0) early.push(dueUs);
    last = Math.max(last, dueUs);
  }
  // What the generator held up and sent at once is in flight for that reason.
  const [atEnd = 0, ...before] = inFlightAt(onTime(window, 1000 * limits.lagMs), [last, ...early]);
  const usual = median(before);
  const highest = percentile(Float64Array.from(before).sort(), 0, USUAL) ?? 0;
  const more = allowedGrowth(plan, limits);
  const allowed = Math.max(GROWTH_RATIO * usual, usual + more, highest);
  const measured = `${figure(atEnd)} at the last arrival; median ${figure(usual)}, p99 ${figure(highest)} in the first half`;
  return violated(END_RULE, measured, `at most ${figure(allowed)}`, before.length > 0 && atEnd <= allowed, {
    reason: `the target fell behind at the end: ${figure(atEnd)} in flight at the last arrival, median ${figure(usual)} in the first half, allowed is ${figure(allowed)}`,
  });
}
