import type { StreamTable } from './table.ts';

/** One second of a running cell, as far as k6 has reported it. */
export interface CellProgress {
  /** Seconds since the first row. */
  readonly second: number;
  readonly startedPerSecond: number;
  /** Since the cell began. */
  readonly dropped: number;
  readonly failed: number;
  /** Service time of the transactions that ended in this second; null when none did. */
  readonly p99Ms: number | null;
}

const INTERVAL_MS = 1000;

/** Arrivals that were started, those of the ramp-up among them. */
function startedIn({ started, ramp }: StreamTable): number {
  return started + ramp.succeeded.length + ramp.failed;
}

/** Figures of the second that has passed; empties the table's recent service times. */
export function progressOf(table: StreamTable, second: number, startedBefore: number, elapsedMs: number): CellProgress {
  const recent = Float64Array.from(table.recentUs.splice(0)).sort();
  const p99Us = recent[Math.ceil(recent.length * 0.99) - 1];
  return {
    second,
    startedPerSecond: Math.round(((startedIn(table) - startedBefore) * 1000) / Math.max(1, elapsedMs)),
    dropped: table.dropsUs.length,
    failed: table.failed,
    p99Ms: p99Us === undefined ? null : p99Us / 1000,
  };
}

/** Reports once a second, from the first row on, until it is stopped. */
export function createProgress(table: StreamTable, report: (progress: CellProgress) => void): { stop: () => void } {
  let second = 0;
  let started = 0;
  let at = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (table.rows > 0) {
      second += 1;
      report(progressOf(table, second, started, now - at));
    }
    started = startedIn(table);
    at = now;
  }, INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}
