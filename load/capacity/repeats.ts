import { drawNearKnee } from '../../lib/judge/capacity/knee.ts';
import { bracketOf } from '../../lib/judge/capacity/settle.ts';
import type { Trial } from '../../lib/judge/capacity/trial.ts';
import type { FindOptions } from './find-options.ts';

/**
 * Rate of the next repeat, drawn from the knees that the steps so far allow. What is drawn at random does not follow a
 * drift of the target; what is drawn from the possible teaches more than fixed shares of the rate that held. Null where
 * there is no knee.
 */
export function repeatRate(trials: readonly Trial[], { search, random }: Pick<FindOptions, 'search' | 'random'>) {
  const { low, high } = bracketOf(trials.filter(({ purpose }) => purpose === 'search'));
  const drawn = drawNearKnee(trials, random);
  if (low === null || high === null || high.failed === 0 || drawn === null) return null;
  return Math.min(Math.max(Math.round(drawn), search.lowest), search.highest);
}
