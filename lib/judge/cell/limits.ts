/** Limits of the rules that a load cell is judged by, each with its reason. */
export const LIMITS = {
  /** Lag of the generator at its deciding percentile. */
  lagMs: 10,
  /** Largest lag: beyond it an arrival was not offered in the second it stands for. */
  lagMaxMs: 1000,
  /** Lag from which an arrival was held up: those behind it are sent with it, at once. */
  heldUpMs: 50,
  /** Share of all cores k6 may use on average: beyond it the schedule is a matter of luck. */
  cpuMean: 0.7,
  /** Share of all cores k6 may use in its busiest second. */
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
  /** Least growth that counts, in transactions. */
  growthLeast: 5,
};
export type CellLimits = Readonly<typeof LIMITS>;
