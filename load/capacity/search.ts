import { bracketOf, isSettled, type Tally, type Trial, tallies } from '../../lib/judge/capacity/trial.ts';

/** How a search goes; rates are whole arrivals per second. */
export interface SearchOptions {
  /** First rate: that of the specification. */
  readonly start: number;
  readonly lowest: number;
  readonly highest: number;
  /** The search ends when the first failure is at most this share above the highest rate that held. */
  readonly tolerance: number;
  /** Steps at most: a target that holds and fails by chance would be searched without end. */
  readonly steps: number;
  /** A long run follows at the rate that held, so that no second step is needed there. */
  readonly confirmed?: boolean;
}

/** A rate this share of what a slow target got done, also under too many arrivals, or of what stalls leave, should hold. */
export const BELOW = 0.97;

/** A rate that the work of a slow target points to: a little less, then the least above it that ends the search; null for no such rate. */
function hinted(trials: readonly Trial[], from: number, to: number, tolerance: number): number | null {
  // Where the first rate that does not hold was not measured validly, one above it may tell.
  const hints = trials.filter(({ ratePerSecond, carriedPerSecond }) => ratePerSecond >= to && carriedPerSecond);
  const lowest = Math.min(...hints.map(({ ratePerSecond }) => ratePerSecond));
  const carried = hints.filter(({ ratePerSecond }) => ratePerSecond === lowest).at(-1)?.carriedPerSecond;
  // A hint that already failed is not followed again.
  const tried = trials.some(
    ({ ratePerSecond: rate, carriedPerSecond = 0 }) => rate > lowest && Math.floor(carriedPerSecond * BELOW) === lowest,
  );
  if (carried === undefined || tried) return null;
  const below = Math.floor(carried * BELOW);
  const above = Math.max(Math.floor(from * (1 + tolerance)), from + 1);
  if (below > from) return below < to && below >= 1 ? below : null;
  return from * BELOW <= carried && above < to ? above : null;
}

/**
 * Doubles or halves until one rate holds and one does not, follows a failure's hint or bisects, then repeats both sides of the knee.
 * `near`: close to the knee, so that it is measured longer. Null if the search is over.
 */
export function nextStep(trials: readonly Trial[], options: SearchOptions) {
  const { start, lowest, highest, tolerance, steps, confirmed = false } = options;
  if (trials.length >= steps) return null;
  const clip = (rate: number) => Math.min(Math.max(Math.round(rate), lowest), highest);
  if (trials.length === 0) return { ratePerSecond: clip(start), near: false };
  const tied = tallies(trials).find(({ holds }) => holds === null);
  if (tied !== undefined) return { ratePerSecond: tied.ratePerSecond, near: true };
  const { low, high } = bracketOf(trials);
  const repeat = (side: Tally | null) =>
    side === null || isSettled(side) ? null : { ratePerSecond: side.ratePerSecond, near: true };
  if (low === null) {
    const rate = high?.ratePerSecond ?? start;
    if (rate <= lowest) return repeat(high);
    const hint = hinted(trials, 0, rate, tolerance);
    return hint === null ? { ratePerSecond: clip(rate / 2), near: false } : { ratePerSecond: clip(hint), near: true };
  }
  if (high === null) {
    if (low.ratePerSecond >= highest) return confirmed ? null : repeat(low);
    return { ratePerSecond: clip(low.ratePerSecond * 2), near: false };
  }
  const [from, to] = [low.ratePerSecond, high.ratePerSecond];
  if (to / from > 1 + tolerance && to - from > 1) {
    const between = Math.min(Math.max(Math.round(Math.sqrt(from * to)), from + 1), to - 1);
    return { ratePerSecond: hinted(trials, from, to, tolerance) ?? between, near: true };
  }
  return (confirmed ? null : repeat(low)) ?? repeat(high);
}
