import { studentQuantile, studentShare } from './quantiles.ts';
import { meanOf, varianceOf } from './spread.ts';

/** What pairs of measurements say: `equivalent` is proven, as `worse` and `better` are; `undecided` is neither. */
export type PairedVerdict = 'worse' | 'better' | 'equivalent' | 'undecided';

/** The ratio of the second of each pair to the first, over all pairs. */
export interface Paired {
  readonly pairs: number;
  /** Geometric mean of the ratios, with its 95 % interval. */
  readonly ratio: number;
  readonly interval: readonly [number, number];
  /** Probability that chance makes the ratio as large, or as small, as it is: of the signs where pairs suffice, else Student's. */
  readonly pWorse: number;
  readonly pBetter: number;
  readonly verdict: PairedVerdict;
}

/** A verdict against a side is wrong in one of a hundred. */
const ALPHA = 0.01;
/** Equivalence is shown by two tests, each wrong in one of twenty. */
const EQUIVALENCE = 0.05;
/** A difference that chance does not explain is equivalent up to this share of the margin: near it, it is a regression. */
const BEYOND_CHANCE = 0.5;
/** Each pair doubles the signs there are: with fewer pairs than this none is rare enough, with more there are too many to count. */
const [FEWEST_EXACT, MOST_EXACT] = [7, 20];

/** Share of all ways to give the values a sign whose sum is at least that of the values. */
export function signFlipShare(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const ways = 2 ** values.length;
  // A sum that differs only by rounding is the same.
  const least = sum - 1e-12 * values.reduce((total, value) => total + Math.abs(value), 0);
  let reached = 0;
  for (let way = 0; way < ways; way += 1) {
    const flipped = values.reduce((total, value, at) => total + ((way >> at) & 1 ? -value : value), 0);
    if (flipped >= least) reached += 1;
  }
  return reached / ways;
}

function chance(values: readonly number[]): number {
  if (values.length >= FEWEST_EXACT && values.length <= MOST_EXACT) return signFlipShare(values);
  const error = Math.sqrt(varianceOf(values) / values.length);
  const mean = meanOf(values);
  if (error === 0) return mean > 0 ? 0 : 1;
  return 1 - studentShare(mean / error, values.length - 1);
}

/**
 * Judges pairs by the logarithms of their ratios, above 0 where the second is slower. Worse or better needs a chance of at most 1 %, by
 * the exact distribution of the signs. Equivalent needs the 90 % interval to lie within `margin` (0.1 is ten percent) on both sides; of a
 * difference that chance does not explain, within half of it. Equivalent comes first: two deployments are never quite alike, and
 * enough pairs show any difference. At least two pairs are needed.
 */
export function judgePairs(logRatios: readonly number[], margin: number): Paired {
  const pairs = logRatios.length;
  if (pairs < 2) throw new RangeError('two pairs are needed');
  const mean = meanOf(logRatios);
  const error = Math.sqrt(varianceOf(logRatios) / pairs);
  const half = studentQuantile(0.975, pairs - 1) * error;
  const near = studentQuantile(1 - EQUIVALENCE, pairs - 1) * error;
  const pWorse = chance(logRatios);
  const pBetter = chance(logRatios.map((value) => -value));
  const isChance = Math.min(pWorse, pBetter) > ALPHA;
  const most = Math.log(1 + (isChance ? margin : margin * BEYOND_CHANCE));
  const isEquivalent = mean + near < most && mean - near > -most;
  const direction = pWorse <= ALPHA ? 'worse' : pBetter <= ALPHA ? 'better' : 'undecided';
  return {
    ...{ pairs, pWorse, pBetter },
    ratio: Math.exp(mean),
    interval: [Math.exp(mean - half), Math.exp(mean + half)],
    verdict: isEquivalent ? 'equivalent' : direction,
  };
}
