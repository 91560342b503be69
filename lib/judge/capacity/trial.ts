import { defined } from '../../defined.ts';
import type { Bucket, CellFacts, CellReport } from '../../records/load/load.ts';
import { END_RULE } from '../cell/rules/end.ts';

/** What one step showed of its rate: held, did not hold, or nothing (the generator or the run was at fault). */
export type StepOutcome = 'held' | 'failed' | 'invalid';
export type StepPurpose = NonNullable<CellFacts['step']>['purpose'];

/** What one step showed. What is absent was not looked at. */
export interface Trial {
  readonly ratePerSecond: number;
  readonly outcome: StepOutcome;
  readonly purpose?: StepPurpose;
  /** Measured seconds. */
  readonly seconds?: number;
  /** Transactions per second that the target got done, where it failed for being slow and for nothing else. */
  readonly carriedPerSecond?: number;
  /** The same in the last third of a step that failed, when what it had in reserve is used up. */
  readonly tailPerSecond?: number;
  /** Seconds for which a step that failed held, from its start. */
  readonly heldSeconds?: number;
  /** A slow step that later got all done again, for a quarter of the time at least: it was slow for a while. */
  readonly recovers?: boolean;
  /** The least that a slow step got done per second, in any of its buckets. */
  readonly worstPerSecond?: number;
  /** When the target answered nothing, on one clock for all steps, and for how long. */
  readonly stalls?: readonly { readonly atSeconds: number; readonly ms: number }[];
  /** It failed for its stalls and for nothing else. */
  readonly stallLimited?: boolean;
}

const OUTCOMES = { met: 'held', violated: 'failed', invalid: 'invalid' } as const;

const isBroken = ({ rules }: CellReport, id: string) => rules.some((rule) => rule.id === id && rule.holds === false);

function wasSlow(step: CellReport): boolean {
  const slow = ['no-drops', 'in-flight-stable', END_RULE].some((id) => isBroken(step, id));
  const failed = isBroken(step, 'no-failures') || isBroken(step, 'slo-errors');
  return step.verdict === 'violated' && !failed && slow;
}

/**
 * What a target that was too slow got done each second. Successes by their intended start count those too that were answered after the
 * end; the number in flight divided by the service time (Little's law) does not.
 */
export function carriedBy(step: CellReport): number | null {
  const { inFlightMean, serviceTime, achievedPerSecond } = step;
  const { meanServedMs } = serviceTime;
  if (!wasSlow(step) || meanServedMs === null || meanServedMs === 0) return null;
  return Math.min(achievedPerSecond, (inFlightMean * 1000) / meanServedMs);
}

/** Mean rate of the last third of the buckets. */
function tailOf({ buckets }: CellReport): number | null {
  const last = buckets.slice(-Math.ceil(buckets.length / 3));
  return last.length === 0 ? null : last.reduce((sum, bucket) => sum + bucket.achievedPerSecond, 0) / last.length;
}

const isShort = ({ scheduled, succeeded }: Bucket) => succeeded < scheduled;

/** Seconds before the first bucket in which an arrival was not served. */
function heldFor({ buckets, facts }: CellReport): number | null {
  const first = buckets.find(isShort);
  return first === undefined ? null : first.startSeconds - facts.plan.warmupSeconds;
}

function worstOf({ buckets }: CellReport): number {
  return buckets.reduce((least, { achievedPerSecond }) => Math.min(least, achievedPerSecond), Infinity);
}

/** Of the buckets from the first short one on, so many are whole where a target was slow for a while only. */
const RECOVERED_SHARE = 0.25;
/** And so little of the rate was done at worst: a target that is a little too slow all the time drops one now and then. */
const SLOW_SHARE = 0.9;

function recovers(step: CellReport): boolean {
  const { buckets, facts } = step;
  const since = buckets.slice(buckets.findIndex(isShort));
  const whole = since.filter((bucket) => !isShort(bucket)).length;
  const wasFarBelow = worstOf(step) < SLOW_SHARE * facts.plan.targetPerSecond;
  return wasFarBelow && buckets.some(isShort) && whole >= RECOVERED_SHARE * since.length;
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

/** What a judged step showed. */
export function trialOf(step: CellReport): Trial {
  const { facts, stalls = [] } = step;
  const startSeconds = Date.parse(facts.startedAt) / 1000;
  const failed = step.verdict === 'violated';
  const slow = wasSlow(step);
  return {
    ratePerSecond: facts.plan.targetPerSecond,
    outcome: OUTCOMES[step.verdict],
    seconds: facts.plan.durationSeconds - facts.plan.warmupSeconds,
    ...defined({
      purpose: facts.step?.purpose,
      carriedPerSecond: carriedBy(step) ?? undefined,
      tailPerSecond: (slow ? tailOf(step) : null) ?? undefined,
      heldSeconds: (failed ? heldFor(step) : null) ?? undefined,
      recovers: slow && recovers(step) ? true : undefined,
      worstPerSecond: slow && step.buckets.length > 0 ? worstOf(step) : undefined,
      stallLimited: stallLimited(step) ? true : undefined,
      stalls:
        stalls.length === 0
          ? undefined
          : stalls.map(({ startSeconds: at, ms }) => ({ atSeconds: startSeconds + at, ms })),
    }),
  };
}
