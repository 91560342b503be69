import type { Knee } from '../../lib/judge/capacity/knee.ts';
import type { Trial } from '../../lib/judge/capacity/trial.ts';
import type { FindOptions } from './find-options.ts';

/** Confirmations at most: a target that fails all of them has no rate that holds. */
const MOST = 8;
/** Stalls that a confirmation has to see, where there are any. */
const STALLS = 3;
/** A rate this share of what the target did under too many arrivals, or of what stalls leave, should hold. */
const BELOW = 0.97;
/** Step down where nothing was learned from a confirmation that failed. */
const DOWN = 0.9;
/** After so many that failed, a target that is slow at times is tried at what it does then, and no more at its mean. */
const MEANS = MOST / 2;

/** A confirmation: a rate, and its measured seconds. */
export interface Confirmation {
  readonly ratePerSecond: number;
  readonly seconds: number;
}

/** Seconds between stalls, by what all steps saw: the shortest time between two that follow each other; null where fewer than two were. */
function stallPeriod(trials: readonly Trial[]): number | null {
  const seen = trials.flatMap(({ stalls = [] }) => stalls.map(({ atSeconds }) => atSeconds)).sort((a, b) => a - b);
  const gaps = seen.slice(1).map((at, index) => at - (seen[index] ?? 0));
  const real = gaps.filter((gap) => gap > 1);
  return real.length === 0 ? null : Math.min(...real);
}

/** Rate that the longest stall leaves: as many arrivals as connections while it lasts. */
function stallRate(trial: Trial, connections: number): number | null {
  const { stalls = [], stallLimited } = trial;
  if (stallLimited !== true || stalls.length === 0) return null;
  return (connections * 1000) / Math.max(...stalls.map(({ ms }) => ms));
}

/** Least that slow spells left of a rate, where the target got all done between them. */
function spellRate({ recovers, worstPerSecond = 0 }: Trial): number | null {
  return recovers === true && worstPerSecond > 0 ? worstPerSecond : null;
}

/**
 * Next lower rate after confirmations that failed: what the end of the last shows that the target does in the long run,
 * else a step down. The rate of the specification is not stepped over where it is within reach.
 */
function lower(tried: readonly Trial[], failed: Trial, options: Pick<FindOptions, 'connections' | 'targetPerSecond'>) {
  const { connections, targetPerSecond } = options;
  const { ratePerSecond, tailPerSecond, carriedPerSecond } = failed;
  const spell = tried.length >= MEANS ? spellRate(failed) : null;
  const hint = stallRate(failed, connections) ?? spell ?? tailPerSecond ?? carriedPerSecond;
  const below = hint === undefined ? ratePerSecond * DOWN : Math.min(hint, ratePerSecond) * BELOW;
  const next = Math.max(1, Math.min(Math.floor(below), ratePerSecond - 1));
  // What waits on a connection during a slow spell is done after it, so more than is done in one may hold.
  const inReach = spell !== null || (hint ?? targetPerSecond) >= targetPerSecond * BELOW;
  return ratePerSecond > targetPerSecond && next < targetPerSecond && inReach ? targetPerSecond : next;
}

/**
 * First rate to confirm where no rate held on balance: a reserve that was used up meanwhile makes each rate hold once and
 * fail then. What the steps came down to should hold all the same. Null where that is too little to search for.
 */
function rateOfSlow(trials: readonly Trial[], lowest: number): number | null {
  const tails = trials.flatMap(({ tailPerSecond }) => tailPerSecond ?? []);
  const rate = Math.floor(Math.min(...tails) * BELOW);
  return tails.length > 0 && rate >= lowest ? rate : null;
}

/**
 * Next confirmation, or null where one has held for long enough or none will. The first is at the lower bound of the rate
 * that 95 of 100 steps hold, or at the published rate where that is below what held. Each lasts for three stalls, where
 * there are any.
 */
export function nextConfirmation(
  trials: readonly Trial[],
  heldPerSecond: number | null,
  knee: Knee | null,
  options: Pick<FindOptions, 'confirmSeconds' | 'mostSeconds' | 'targetPerSecond' | 'connections' | 'search'>,
): Confirmation | null {
  const { confirmSeconds, mostSeconds, targetPerSecond, search } = options;
  const firstPerSecond = heldPerSecond ?? rateOfSlow(trials, search.lowest);
  if (confirmSeconds === 0 || firstPerSecond === null) return null;
  const tried = trials.filter(({ purpose }) => purpose === 'confirm');
  const forStalls = Math.ceil(STALLS * (stallPeriod(trials) ?? 0));
  const at = (rate: number, least = 0): Confirmation => {
    const ratePerSecond = Math.max(1, rate);
    return { ratePerSecond, seconds: Math.min(mostSeconds(ratePerSecond), Math.max(confirmSeconds, forStalls, least)) };
  };
  const last = tried.at(-1);
  if (last === undefined) {
    const bound = Math.floor(Math.min(knee?.boundPerSecond ?? firstPerSecond, firstPerSecond));
    return at(firstPerSecond >= targetPerSecond ? Math.max(bound, targetPerSecond) : bound);
  }
  if (tried.length >= MOST) return null;
  const { ratePerSecond, outcome, stalls = [], seconds: lasted = 0 } = last;
  if (outcome === 'invalid') {
    const again = tried.filter((trial) => trial.ratePerSecond === ratePerSecond).length < 2;
    return again ? at(ratePerSecond) : null;
  }
  if (outcome === 'failed') return ratePerSecond <= 1 ? null : at(lower(tried, last, options));
  // Too few stalls to say that their number does not matter: once more, for as long as three take.
  const few = stalls.length > 0 && stalls.length < STALLS;
  const longer = at(ratePerSecond, few ? Math.ceil((STALLS * lasted * 1.2) / stalls.length) : 0);
  return longer.seconds > lasted ? longer : null;
}
