import type { CellRule } from '../../../records/load/load.ts';

/** Limits of the rules that a load cell is judged by, each with its reason. */
export const LIMITS = {
  lagMs: 10,
  /** Largest lag: beyond it an arrival was not offered in the second it stands for. */
  lagMaxMs: 1000,
  /** Lag from which an arrival was held up: those behind it are sent with it, at once. */
  heldUpMs: 50,
  cpuMean: 0.7,
  cpuMax: 0.95,
  /** Share of its one core that the collector may use: beyond it rows pile up in k6. */
  collectorCpu: 0.8,
  /** The collector takes no time itself, so a delay falsifies nothing; beyond a quarter of a second, stopping in time is at risk. */
  eventLoopMs: 250,
  /** k6 takes the difference of wall clock readings; a step of this size is as large as the lag that is allowed. */
  clockStepMs: 10,
  /** Memory of k6 and of the collector that may be swapped, kilobytes: a page that has to be fetched from disk stops the process that needs it. */
  swapKb: 0,
  /** How far apart several generators may begin: a quarter of the smallest bucket, whose rate is then off by as much at its edges. */
  startSpreadMs: 250,
  /** Share of the time that a runner may be held back by its CPU limit: one of the 100 ms periods in 10 s. */
  throttledShare: 0.01,
  /** Mean share of connections in use at dropped arrivals from which the target counts as the cause. */
  busyShare: 0.8,
  /** Growth of the number in flight between the halves that counts, as seconds of arrivals: 20 ms more per transaction. */
  growthSeconds: 0.02,
  growthLeast: 5,
};
export type CellLimits = Readonly<typeof LIMITS>;

/** A rule with the sentence that stands among the reasons when it does not hold. */
export interface Judged extends CellRule {
  readonly reason?: string;
}

/** A rule about the record or the generator: where it does not hold, the cell proves nothing. */
export const invalid = (id: string, text: string, measured: string, limit: string, holds: boolean): Judged => ({
  id,
  text,
  measured,
  limit,
  holds,
  effect: 'invalid',
});

export const reasonOf = (rule: Judged): string =>
  rule.reason ?? `not so: ${rule.text}: ${rule.measured}, allowed is ${rule.limit}`;

export const figure = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Share of the endpoints that were read which somebody else may have put another policy on: more of them are the work of the target. */
const MOST_OF_OTHERS = 0.1;

/** True if so many endpoints with a policy that the run never put on any, and no more, say nothing of the target. */
export const mayBeOfOthers = (others: number, read: number): boolean => others > 0 && others <= MOST_OF_OTHERS * read;

export const OF_OTHERS = '; the run put no such policy on any endpoint: somebody else may have written to the pool';

/** The first of what was found, behind a sign; nothing where nothing was. */
export const examplesOf = (found: readonly string[], sign = ': '): string =>
  found.length === 0 ? '' : sign + found.slice(0, 3).join(', ');
