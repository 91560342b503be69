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
