import { meanOf, varianceOf } from './spread.ts';

/**
 * Share of what fails that cannot be excluded, 95 %, where none of `seen` failed. The product of 1 / (1 - q) over what did not fail is a
 * test martingale of "the share q fails", so that the bound holds whenever one stops to look (Ville; Waudby-Smith and Ramdas 2024).
 */
export const unseenShare = (seen: number): number => (seen === 0 ? 1 : 1 - 0.05 ** (1 / seen));

/** Spread of the effects, in standard deviations, that the sequence is to decide soonest on. */
const EFFECT = 3;

/**
 * Confidence sequence of the mean of normal values, at level 1 - `alpha`: it holds for all numbers of values at once, so one may stop as
 * soon as it decides. It inverts the Bayes factor of Student's t with a normal prior of the effect size, a test martingale in what does
 * not depend on the scale (Lai 1976; Wang and Ramdas 2025). Infinite if so few values bound nothing.
 */
export function meanSequence(values: readonly number[], alpha: number): readonly [low: number, high: number] {
  const count = values.length;
  const [mean, wider] = [meanOf(values), 1 + count * EFFECT ** 2];
  const most = (Math.sqrt(wider) / alpha) ** (2 / count);
  if (count < 2 || most >= wider) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const half = Math.sqrt((varianceOf(values) * (count - 1) * (most - 1)) / (1 - most / wider) / count);
  return [mean - half, mean + half];
}

/** What pairs of measurements say: `equivalent` is proven, as `worse` and `better` are; `undecided` is neither. */
export type PairedVerdict = 'worse' | 'better' | 'equivalent' | 'undecided';

/** A verdict against a side is wrong in one of a hundred, so that both sides together have twice that. */
const ALPHA = 0.02;
/** Equivalence is shown by two tests, each wrong in one of twenty. */
const EQUIVALENCE = 0.1;
/** A difference that chance does not explain is equivalent up to this share of the margin: near it, it is a regression. */
const BEYOND_CHANCE = 0.5;

/**
 * Judges pairs by the logarithms of their ratios, above 0 if the second is slower. Worse or better needs the 98 % sequence to exclude 0.
 * Equivalent needs the 90 % sequence to lie within `margin` (0.1 is ten percent) on both sides; of a difference that chance does not
 * explain, within half of it. Equivalent comes first: two deployments are never quite alike, and enough pairs show any difference. It
 * may be asked after each pair, and the first answer that is not undecided counts. At least two pairs are needed.
 */
export function judgePairs(logRatios: readonly number[], margin: number) {
  const pairs = logRatios.length;
  if (pairs < 2) throw new RangeError('two pairs are needed');
  const [low, high] = meanSequence(logRatios, ALPHA);
  const [from, to] = meanSequence(logRatios, EQUIVALENCE);
  const shown = meanSequence(logRatios, 0.05);
  const most = Math.log(1 + (low > 0 || high < 0 ? margin * BEYOND_CHANCE : margin));
  const verdict: PairedVerdict =
    to < most && from > -most ? 'equivalent' : low > 0 ? 'worse' : high < 0 ? 'better' : 'undecided';
  return {
    pairs,
    /** Geometric mean of the ratios, with the 95 % interval that holds for any number of pairs; null if so few bound nothing. */
    ratio: Math.exp(meanOf(logRatios)),
    interval: Number.isFinite(shown[0]) ? ([Math.exp(shown[0]), Math.exp(shown[1])] as const) : null,
    verdict,
  };
}
