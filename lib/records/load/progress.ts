/** One second of a running cell, as far as k6 has reported it. */
export interface CellProgress {
  readonly second: number;
  readonly startedPerSecond: number;
  readonly dropped: number;
  readonly failed: number;
  /** Arrivals that are due, and neither ended nor dropped; null before the first one and during the ramp-up. */
  readonly inFlight: number | null;
  /** Service time of the transactions that ended in this second; null when none did. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}
