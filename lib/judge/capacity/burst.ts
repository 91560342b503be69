import type { Burst, Confirmation } from '../../records/load/capacity.ts';
import type { Trial } from './trial.ts';

/** A target that had held for less than this has no reserve to speak of: it was too slow from the start. */
const LEAST_SECONDS = 2;
/** Short steps that held so many times the confirmed rate show a reserve too. */
const FAR_ABOVE = 1.25;
/** What is done at the end is clearly below the rate that was offered. */
const CLEARLY = 0.97;

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
    steppedDown: new Set(tried.map(({ ratePerSecond }) => ratePerSecond)).size - 1,
  };
}

function burst(ratePerSecond: number, seconds: number, refillPerSecond: number): Burst {
  return { ratePerSecond, seconds, refillPerSecond, reserve: Math.round((ratePerSecond - refillPerSecond) * seconds) };
}

/** A rate far above the confirmed one that a step held all the same: the reserve is at least what that took. */
function shortBurst(trials: readonly Trial[]): Burst | null {
  const confirmed = confirmationOf(trials);
  if (confirmed?.outcome !== 'held' || trials.some(({ stallLimited }) => stallLimited === true)) return null;
  const held = trials.filter(
    ({ purpose, outcome, ratePerSecond }) =>
      purpose !== 'confirm' && outcome === 'held' && ratePerSecond > FAR_ABOVE * confirmed.ratePerSecond,
  );
  const most = held.sort((a, b) => b.ratePerSecond - a.ratePerSecond)[0];
  return most === undefined ? null : burst(most.ratePerSecond, most.seconds ?? 0, confirmed.ratePerSecond);
}

/**
 * What the target does for a while and not for long. A confirmation that held for some seconds and then got steadily less done shows a
 * reserve that was used up: with $r$ offered, $r_0$ done at the end and $t$ seconds held, $(r - r_0) t$ transactions, as a bucket of
 * tokens has.
 */
export function burstOf(trials: readonly Trial[]): Burst | null {
  const found = trials.find(
    ({ purpose, heldSeconds = 0, tailPerSecond, ratePerSecond, stallLimited }) =>
      purpose === 'confirm' &&
      stallLimited !== true &&
      heldSeconds >= LEAST_SECONDS &&
      tailPerSecond !== undefined &&
      tailPerSecond < CLEARLY * ratePerSecond,
  );
  if (found === undefined) return shortBurst(trials);
  const { ratePerSecond, heldSeconds: seconds = 0, tailPerSecond: refillPerSecond = 0 } = found;
  return burst(ratePerSecond, seconds, refillPerSecond);
}
