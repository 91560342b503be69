/** Limits of the rules that a load cell is judged by, each with its reason. */
export interface CellLimits {
  /** Lag of the generator at its deciding percentile. */
  readonly lagMs: number;
  /** Largest lag: beyond it an arrival was not offered in the second it stands for. */
  readonly lagMaxMs: number;
  /** Share of all cores k6 may use on average: beyond it the schedule is a matter of luck. */
  readonly cpuMean: number;
  /** Share of all cores k6 may use in its busiest second. */
  readonly cpuMax: number;
  /** Share of its one core that the collector may use: beyond it rows pile up in k6. */
  readonly collectorCpu: number;
  /** The collector takes no time itself, so a delay falsifies nothing; beyond a quarter of a second, stopping in time is at risk. */
  readonly eventLoopMs: number;
  /** k6 takes the difference of wall clock readings; a step of this size is as large as the lag that is allowed. */
  readonly clockStepMs: number;
  /** Memory of k6 and of the collector that may be swapped, kilobytes: a page that has to be fetched from disk stops the process that needs it. */
  readonly swapKb: number;
  /** How far apart several generators may begin: a quarter of the smallest bucket, whose rate is then off by as much at its edges. */
  readonly startSpreadMs: number;
  /** Share of the time that a runner may be held back by its CPU limit: one of the 100 ms periods in 10 s. */
  readonly throttledShare: number;
  /** Mean share of connections in use at dropped arrivals from which the target counts as the cause. */
  readonly busyShare: number;
  /** Growth of the number in flight between the halves that counts, as seconds of arrivals: 20 ms more per transaction. */
  readonly growthSeconds: number;
  /** Least growth that counts, in transactions. */
  readonly growthLeast: number;
}

export const LIMITS: CellLimits = {
  lagMs: 10,
  lagMaxMs: 1000,
  cpuMean: 0.7,
  cpuMax: 0.95,
  collectorCpu: 0.8,
  eventLoopMs: 250,
  clockStepMs: 10,
  swapKb: 0,
  startSpreadMs: 250,
  throttledShare: 0.01,
  busyShare: 0.8,
  growthSeconds: 0.02,
  growthLeast: 5,
};
