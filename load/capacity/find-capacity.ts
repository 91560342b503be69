import { bracketOf, type Trial, worksOffPerSecond } from '../../lib/judge/capacity/trial.ts';
import { BELOW, nextStep, type SearchOptions } from './search.ts';
import { OVERHEAD_SECONDS, type StepRequest } from './step-cell.ts';

export interface FindOptions {
  readonly search: SearchOptions;
  /** Measured seconds of the confirmation; 0 leaves it out. */
  readonly confirmSeconds: number;
  /** Longest confirmation at a rate: each of its arrivals takes an endpoint of its own. */
  readonly mostSeconds: (ratePerSecond: number) => number;
  readonly targetPerSecond: number;
  readonly secondsLeft: () => number;
}

/** Confirmations at most: a target that fails all of them has no rate that holds. */
const MOST = 8;
/** Stalls that a confirmation has to see, where there are any. */
const STALLS = 3;
/** Step down where nothing was learned from a confirmation that failed. */
const DOWN = 0.93;
/** What a target did under too many arrivals is far below the rate: it is a reserve that was used up, or a target that collapses. */
const FAR = 0.9;
/** A shorter confirmation says nothing that a step does not. */
const LEAST_SECONDS = 10;

/** Share of the time that is left that one confirmation takes at most: where it fails, a lower rate has a turn. */
const SHARE = 0.6;

type Confirmation = Required<Pick<StepRequest, 'ratePerSecond' | 'seconds'>>;

/** Seconds between stalls, by what all steps saw: the shortest time between two that follow each other; null if fewer than two were. */
function stallPeriod(trials: readonly Trial[]): number | null {
  const seen = trials.flatMap(({ stalls = [] }) => stalls.map(({ atSeconds }) => atSeconds)).sort((a, b) => a - b);
  const gaps = seen.slice(1).map((at, index) => at - (seen[index] ?? 0));
  const real = gaps.filter((gap) => gap > 1);
  return real.length === 0 ? null : Math.min(...real);
}

/** What the target did until its connections were full, at least: they filled with what came beyond that. */
const untilFull = ({ ratePerSecond, connections = 0, heldSeconds = 0 }: Trial) =>
  ratePerSecond - connections / Math.max(1, heldSeconds);

/** Next lower rate after a confirmation that failed: what its end shows the target does in the long run, else a step down. */
function lower(failed: Trial, isFirst: boolean, { targetPerSecond }: Pick<FindOptions, 'targetPerSecond'>): number {
  const { ratePerSecond, recovers, stallLimited, tailPerSecond, carriedPerSecond } = failed;
  const slow = worksOffPerSecond(failed);
  const end = slow ?? tailPerSecond ?? carriedPerSecond;
  const isDoubtful = slow === null && isFirst && end !== undefined && end < FAR * ratePerSecond;
  const hint = isDoubtful ? Math.max(end, untilFull(failed)) : end;
  const below = hint === undefined ? ratePerSecond * DOWN : Math.min(hint, ratePerSecond) * BELOW;
  const next = Math.max(1, Math.min(Math.floor(below), ratePerSecond - 1));
  const inReach = (recovers === true && stallLimited !== true) || (hint ?? targetPerSecond) >= targetPerSecond * BELOW;
  return ratePerSecond > targetPerSecond && next < targetPerSecond && inReach ? targetPerSecond : next;
}

/** First rate to confirm if none held on balance, as with a reserve that ran out: the lowest of the steps. Null if that is too little. */
function rateOfSlow(trials: readonly Trial[], lowest: number): number | null {
  const tails = trials.flatMap(({ tailPerSecond }) => tailPerSecond ?? []);
  const rate = Math.floor(Math.min(...tails) * BELOW);
  return tails.length > 0 && rate >= lowest ? rate : null;
}

/** Null if one has held, none will, or no time is left. Each lasts for three stalls, if there are any, as far as time and pool allow. */
function nextConfirmation(
  trials: readonly Trial[],
  heldPerSecond: number | null,
  options: FindOptions,
): Confirmation | null {
  const { confirmSeconds, mostSeconds, search } = options;
  const firstPerSecond = heldPerSecond ?? rateOfSlow(trials, search.lowest);
  if (confirmSeconds === 0 || firstPerSecond === null) return null;
  const tried = trials.filter(({ purpose }) => purpose === 'confirm');
  const left = Math.floor(options.secondsLeft() - OVERHEAD_SECONDS);
  if (tried.length >= MOST || (left < LEAST_SECONDS && left < confirmSeconds)) return null;
  const wanted = Math.max(confirmSeconds, Math.ceil(STALLS * (stallPeriod(trials) ?? 0)));
  const at = (rate: number): Confirmation => {
    const ratePerSecond = Math.max(1, rate);
    const allowed = Math.max(LEAST_SECONDS, Math.ceil(SHARE * left));
    return { ratePerSecond, seconds: Math.min(mostSeconds(ratePerSecond), wanted, allowed) };
  };
  const last = tried.at(-1);
  if (last === undefined) return at(firstPerSecond);
  const { ratePerSecond, outcome } = last;
  if (outcome === 'held') return null;
  const again = outcome === 'invalid' && tried.filter((trial) => trial.ratePerSecond === ratePerSecond).length < 2;
  if (again) return at(ratePerSecond);
  return outcome === 'invalid' || ratePerSecond <= 1 ? null : at(lower(last, tried.length === 1, options));
}

export type RunStep = (step: StepRequest) => Promise<Trial>;

/** Share of the time that the search leaves to the confirmation, where that needs so much. */
const FOR_CONFIRMATION = 0.5;

/** Searches for the knee, then confirms the rate that will be claimed, stepping down until one holds. Returns every trial, in order. */
export async function findCapacity(options: FindOptions, runStep: RunStep): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  const run = async (step: StepRequest) => void trials.push(await runStep(step));
  const search = { ...options.search, confirmed: options.confirmSeconds > 0 };
  const reserved = Math.min(options.confirmSeconds, FOR_CONFIRMATION * options.secondsLeft());
  for (let next = nextStep([], search); next !== null; next = nextStep(trials, search)) {
    await run({ ...next, purpose: 'search' });
    if (options.secondsLeft() <= reserved) break;
  }
  const held = bracketOf(trials).low?.ratePerSecond ?? null;
  const confirm = () => nextConfirmation(trials, held, options);
  for (let next = confirm(); next !== null; next = confirm()) await run({ ...next, purpose: 'confirm', near: true });
  return trials;
}
