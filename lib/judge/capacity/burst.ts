import type { Burst, Confirmation } from '../../records/load/capacity.ts';
import { unseenShare } from '../../stats/anytime.ts';
import type { Trial } from './trial.ts';

/** A target that had held for less than this has no reserve to speak of: it was too slow from the start. */
const LEAST_SECONDS = 2;
/** Steps that held so many times what slow ones came down to show a reserve too. */
const FAR_ABOVE = 1.25;
/** What is done at the end is clearly below the rate that was offered. */
const CLEARLY = 0.97;

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

/** What had to come out of a reserve while a rate held; transactions in flight at the end may have been served after it. */
function burst(ratePerSecond: number, seconds: number, refillPerSecond: number, connections: number): Burst {
  const reserve = Math.max(0, Math.floor((ratePerSecond - refillPerSecond) * seconds - connections));
  return { ratePerSecond, seconds, refillPerSecond, reserve };
}

/** Short steps far above what the target does for long. */
const isFarAbove = ({ purpose, ratePerSecond }: Trial, longRun: number): boolean =>
  purpose !== 'confirm' && ratePerSecond > FAR_ABOVE * longRun;

/** The target got less done than was offered, for being slow: what it did at the end is what it does for long. */
const showsLongRun = ({ tailPerSecond, ratePerSecond, stallLimited, recovers }: Trial): boolean =>
  stallLimited !== true && recovers !== true && tailPerSecond !== undefined && tailPerSecond < CLEARLY * ratePerSecond;
/** One slow step may have met something else; short steps show a long run where so many agree. */
const ENOUGH_SLOW = 2;

/**
 * What the target does for a while and not for long. A confirmation that held for some seconds and then got steadily less done shows a
 * reserve that was used up, as a bucket of tokens has. So does a step that held far above what slow ones came down to; that it held far
 * above the confirmed rate shows nothing, because that is a lower bound. With $r$ offered, $r_0$ done in the long run, $t$ seconds
 * held and $c$ connections, $(r - r_0) t - c$ transactions came out of it: the reserve is at least that, because it need not have been
 * full. The step that shows most of it speaks for all. A step that got all done again after it was slow shows no reserve that is
 * used up: the target is slow at times, and only a confirmation that does not recover says otherwise.
 */
export function burstOf(trials: readonly Trial[], connections: number): Burst | null {
  const short = trials.filter(({ purpose, outcome }) => purpose !== 'confirm' && outcome === 'held');
  const highest = Math.max(0, ...short.map(({ ratePerSecond }) => ratePerSecond));
  // Falling behind at a rate that no step held is what any target does; at one below it, there was a reserve.
  const slow = trials.filter(
    (trial) => showsLongRun(trial) && (trial.purpose === 'confirm' || trial.ratePerSecond <= highest),
  );
  const confirmed = confirmationOf(trials);
  const longRun = Math.max(
    ...slow.map(({ tailPerSecond = 0 }) => tailPerSecond),
    confirmed?.outcome === 'held' ? confirmed.ratePerSecond : 0,
  );
  const usedUp = slow.filter(({ purpose, heldSeconds = 0 }) => purpose === 'confirm' && heldSeconds >= LEAST_SECONDS);
  const atTimes = trials.some(({ stallLimited, recovers }) => stallLimited === true || recovers === true);
  const above = atTimes || slow.length < ENOUGH_SLOW ? [] : trials.filter((trial) => isFarAbove(trial, longRun));
  if (usedUp.length === 0 && !above.some(({ outcome }) => outcome === 'held')) return null;
  const shows = [...usedUp, ...above].map(({ outcome, ratePerSecond, seconds = 0, heldSeconds = 0 }) =>
    burst(ratePerSecond, outcome === 'held' ? seconds : heldSeconds, longRun, connections),
  );
  // What the connections alone explain is a queue, and no reserve.
  const more = shows.filter(({ reserve }) => reserve > 0);
  return more.sort((a, b) => b.reserve - a.reserve || b.ratePerSecond - a.ratePerSecond)[0] ?? null;
}
