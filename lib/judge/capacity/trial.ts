import { defined } from '../../defined.ts';
import type { Bucket, CellFacts, CellReport } from '../../records/load/load.ts';
import { END_RULE } from '../cell/rules/target.ts';

/** What one step showed of its rate: held, did not hold, or nothing (the generator or the run was at fault). */
export type StepOutcome = 'held' | 'failed' | 'invalid';
export type StepPurpose = NonNullable<CellFacts['step']>['purpose'];

/** What one step showed. What is absent was not looked at. */
export interface Trial {
  readonly ratePerSecond: number;
  readonly outcome: StepOutcome;
  readonly purpose?: StepPurpose;
  readonly seconds?: number;
  /** Transactions per second that the target got done, where it failed for being slow and for nothing else. */
  readonly carriedPerSecond?: number;
  /** The same in the last third of a step that failed, when what it had in reserve is used up. */
  readonly tailPerSecond?: number;
  readonly heldSeconds?: number;
  /** A slow step that later got all done again, for a quarter of the time at least: it was slow for a while. */
  readonly recovers?: boolean;
  /** Rate at which such a step would have lost nothing: what comes in a slow spell beyond what is done waits on a connection. */
  readonly rideOutPerSecond?: number;
  readonly connections?: number;
  /** When the target answered nothing, on one clock for all steps, and for how long. */
  readonly stalls?: readonly { readonly atSeconds: number; readonly ms: number }[];
  readonly stallLimited?: boolean;
}

const OUTCOMES = { met: 'held', violated: 'failed', invalid: 'invalid' } as const;

const isBroken = ({ rules }: CellReport, id: string) => rules.some((rule) => rule.id === id && rule.holds === false);

function wasSlow(step: CellReport): boolean {
  const slow = ['no-drops', 'in-flight-stable', END_RULE].some((id) => isBroken(step, id));
  const failed = isBroken(step, 'no-failures') || isBroken(step, 'slo-errors');
  return step.verdict === 'violated' && !failed && slow;
}

/** What a target that was too slow got done each second. Successes also count those answered after the end; Little's law does not. */
export function carriedBy(step: CellReport): number | null {
  const { inFlightMean, serviceTime, achievedPerSecond } = step;
  const { meanServedMs } = serviceTime;
  if (!wasSlow(step) || meanServedMs === null || meanServedMs === 0) return null;
  return Math.min(achievedPerSecond, (inFlightMean * 1000) / meanServedMs);
}

type Second = Pick<Bucket, 'startSeconds' | 'scheduled' | 'succeeded' | 'achievedPerSecond'>;

const meanRate = (buckets: readonly Second[]) =>
  buckets.reduce((sum, { achievedPerSecond }) => sum + achievedPerSecond, 0) / buckets.length;

/** Of the buckets from the first short one on, so many are whole where a target was slow for a while only. */
const RECOVERED_SHARE = 0.25;
/** And so little of the rate was done at worst: a target that is a little too slow all the time drops one now and then. */
const SLOW_SHARE = 0.9;

/** A second of which this share is done is whole again: a rate a little above what the target does loses an arrival now and then. */
const WHOLE_SHARE = 0.97;

/** Runs of neighbors in which clearly less was done. */
function spellsOf(buckets: readonly Second[], isSlow: (bucket: Second) => boolean): Second[][] {
  const spells: Second[][] = [];
  for (const [at, bucket] of buckets.entries()) {
    if (!isSlow(bucket)) continue;
    const before = buckets[at - 1];
    if (before !== undefined && isSlow(before)) spells.at(-1)?.push(bucket);
    else spells.push([bucket]);
  }
  return spells;
}

/**
 * Rate at which no arrival of a slow spell is lost. With $D$ done each second and $c$ connections, $r$ fill them in $c / (r - D)$ seconds
 * before arrivals are dropped for $n$ seconds. The spell lasts $S$, the sum of both, so $D + c / S$ ride it out.
 */
function rideOut(spell: readonly Second[], ratePerSecond: number, connections: number, width: number): number {
  // Its first and its last second lie in it in part.
  const done = meanRate(spell.length > 2 ? spell.slice(1, -1) : spell);
  if (done >= ratePerSecond) return ratePerSecond;
  return done + connections / (spell.length * width + connections / (ratePerSecond - done));
}

/** What the seconds of a slow step show: what is done in the long run, for how long the rate held, whether all was done again. */
export function slowness(
  buckets: readonly Second[],
  { ratePerSecond, connections, width = 1 }: { ratePerSecond: number; connections: number; width?: number },
): Pick<Trial, 'tailPerSecond' | 'heldSeconds' | 'recovers' | 'rideOutPerSecond'> {
  const first = buckets.findIndex(({ scheduled, succeeded }) => succeeded < scheduled);
  const since = first < 0 ? [] : buckets.slice(first);
  const end = since.length === 0 ? buckets.slice(-Math.ceil(buckets.length / 3)) : since.slice(since.length >> 1);
  const isSlow = (bucket: Second) => bucket.succeeded < WHOLE_SHARE * bucket.scheduled;
  const whole = since.filter((bucket) => !isSlow(bucket)).length;
  const isFarBelow = Math.min(...buckets.map((bucket) => bucket.achievedPerSecond)) < SLOW_SHARE * ratePerSecond;
  const recovers = isFarBelow && since.length > 0 && whole >= RECOVERED_SHARE * since.length;
  const rates = spellsOf(buckets, isSlow).map((spell) => rideOut(spell, ratePerSecond, connections, width));
  return defined({
    tailPerSecond: end.length === 0 ? undefined : meanRate(end),
    heldSeconds: first < 0 ? undefined : first * width,
    recovers: recovers ? (true as const) : undefined,
    rideOutPerSecond: recovers ? Math.min(...rates) : undefined,
  });
}

/** Rate at which a target that is slow at times loses nothing: what its longest stall or slowest spell leaves. Null for any other. */
export function worksOffPerSecond({
  stalls = [],
  stallLimited,
  rideOutPerSecond,
  connections = 0,
}: Trial): number | null {
  if (stallLimited === true && stalls.length > 0) return (connections * 1000) / Math.max(...stalls.map(({ ms }) => ms));
  return rideOutPerSecond ?? null;
}

/** Do all buckets that dropped arrivals lie in stalls, or in the time of their length after them? */
function stallLimited(step: CellReport): boolean {
  const { stalls = [], buckets, facts } = step;
  const dropping = buckets.filter(({ dropped }) => dropped > 0);
  const width = facts.plan.bucketSeconds;
  return (
    wasSlow(step) &&
    dropping.length > 0 &&
    dropping.every(({ startSeconds: at }) =>
      stalls.some(({ startSeconds, ms }) => at < startSeconds + (2 * ms) / 1000 && at + width > startSeconds),
    )
  );
}

/** Of a step that failed for more than being slow, it is only known for how long it held. */
function slownessOf(step: CellReport): Partial<Trial> {
  const { targetPerSecond: ratePerSecond, connections, bucketSeconds: width } = step.facts.plan;
  const { heldSeconds, ...rest } = slowness(step.buckets, { ratePerSecond, connections, width });
  return { ...(wasSlow(step) ? rest : {}), ...defined({ heldSeconds }) };
}

export function trialOf(step: CellReport): Trial {
  const { facts, stalls = [] } = step;
  const startSeconds = Date.parse(facts.startedAt) / 1000;
  const failed = step.verdict === 'violated';
  return {
    ratePerSecond: facts.plan.targetPerSecond,
    outcome: OUTCOMES[step.verdict],
    seconds: step.buckets.length * facts.plan.bucketSeconds,
    connections: facts.plan.connections,
    ...(failed ? slownessOf(step) : {}),
    ...defined({
      purpose: facts.step?.purpose,
      carriedPerSecond: carriedBy(step) ?? undefined,
      stallLimited: stallLimited(step) ? true : undefined,
      stalls:
        stalls.length === 0
          ? undefined
          : stalls.map(({ startSeconds: at, ms }) => ({ atSeconds: startSeconds + at, ms })),
    }),
  };
}

/** Outcomes of one rate. `holds` is null if as many steps held as failed. */
export interface Tally {
  readonly ratePerSecond: number;
  readonly held: number;
  readonly failed: number;
  readonly invalid: number;
  readonly holds: boolean | null;
}

/** Outcomes by rate, ascending. A rate of which no step proved anything does not hold. */
export function tallies(trials: readonly Trial[]): readonly Tally[] {
  const rates = [...new Set(trials.map(({ ratePerSecond }) => ratePerSecond))].sort((a, b) => a - b);
  return rates.map((ratePerSecond) => {
    const count = (outcome: StepOutcome) =>
      trials.filter((trial) => trial.ratePerSecond === ratePerSecond && trial.outcome === outcome).length;
    const [held, failed, invalid] = [count('held'), count('failed'), count('invalid')];
    const holds = held + failed === 0 ? false : held === failed ? null : held > failed;
    return { ratePerSecond, held, failed, invalid, holds };
  });
}

/** The first rate that does not hold, and the highest below it that does. Above a failure or a tie, the target is a matter of luck. */
export function bracketOf(trials: readonly Trial[]): { readonly low: Tally | null; readonly high: Tally | null } {
  const all = tallies(trials);
  const high = all.find(({ holds }) => holds !== true) ?? null;
  const low = all.findLast(({ ratePerSecond, holds }) => holds && ratePerSecond < (high?.ratePerSecond ?? Infinity));
  return { low: low ?? null, high };
}

/** A rate counts when two steps say the same of it, and more do than say otherwise. */
const AGREEING = 2;

export function isSettled({ held, failed, invalid, holds }: Tally): boolean {
  if (holds === false && failed === 0) return invalid >= AGREEING;
  return holds !== null && Math.max(held, failed) >= AGREEING;
}

/** Of several tries of one step the last decides. */
export const decidingSteps = (steps: readonly CellReport[]): readonly CellReport[] =>
  steps.filter(
    ({ facts }) =>
      !steps.some((other) => other.facts.step?.number === facts.step?.number && other.facts.attempt > facts.attempt),
  );
