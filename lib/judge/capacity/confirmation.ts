import type { Confirmation } from '../../records/load/capacity.ts';
import { unseenShare } from '../../stats/anytime.ts';
import type { Trial } from './trial.ts';

/** Length of the spells of which a bound is said. */
export const SPELL_SECONDS = 5;

/** The last confirmation of those that proved something: its rate holds, or none did. */
export function confirmationOf(trials: readonly Trial[]): Confirmation | null {
  const tried = trials.filter(({ purpose }) => purpose === 'confirm');
  const last = tried.findLast(({ outcome }) => outcome !== 'invalid') ?? tried.at(-1);
  if (last === undefined) return null;
  return {
    ratePerSecond: last.ratePerSecond,
    seconds: last.seconds ?? 0,
    outcome: last.outcome,
    stalls: last.stalls?.length ?? 0,
    unseenShare: last.outcome === 'held' ? unseenShare(Math.floor((last.seconds ?? 0) / SPELL_SECONDS)) : 1,
    steppedDown: new Set(tried.map(({ ratePerSecond }) => ratePerSecond)).size - 1,
  };
}
