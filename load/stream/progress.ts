import type { CellProgress } from '../../lib/records/load/parts.ts';
import { countUpTo } from '../../lib/stats/percentile.ts';
import type { Pace } from './schedule.ts';
import type { StreamTable } from './table.ts';

const INTERVAL_MS = 1000;
/** What ended this long ago has been reported. */
const REPORTED_US = 200_000;

/** Counts arrivals under way, up to the moment up to which k6 has reported. */
export function inFlightCount(table: StreamTable, { periodUs, duesUs }: Pace): (nowUs: number) => number | null {
  let rampDrops: number | undefined;
  return (nowUs) => {
    const { originUs, newestUs, iterations, dropsUs } = table;
    if (Number.isNaN(originUs)) return null;
    rampDrops ??= dropsUs.filter((atUs) => atUs < originUs).length;
    const sinceUs = Math.max(newestUs, nowUs - REPORTED_US) - originUs;
    const due = duesUs === undefined ? Math.floor(sinceUs / periodUs) + 1 : countUpTo(duesUs, sinceUs);
    return Math.max(0, due - iterations - (dropsUs.length - rampDrops));
  };
}

function startedIn({ started, ramp }: StreamTable): number {
  return started + ramp.succeeded.length + ramp.failed;
}

/** Figures of the second of a running cell that has passed, as far as k6 has reported it; empties the table's recent service times. */
export function progressOf(
  table: StreamTable,
  second: number,
  startedBefore: number,
  elapsedMs: number,
  inFlight: number | null = null,
): CellProgress {
  const recent = Float64Array.from(table.recentUs.splice(0)).sort();
  const percentile = (share: number) => {
    const us = recent[Math.ceil(recent.length * share) - 1];
    return us === undefined ? null : us / 1000;
  };
  return {
    second,
    startedPerSecond: Math.round(((startedIn(table) - startedBefore) * 1000) / Math.max(1, elapsedMs)),
    ...{ dropped: table.dropsUs.length, failed: table.failed, inFlight },
    ...{ p50Ms: percentile(0.5), p99Ms: percentile(0.99) },
  };
}

/** Reports once a second, from the first row on, until it is stopped. */
export function createProgress(
  table: StreamTable,
  pace: Pace,
  report: (progress: CellProgress) => void,
): { stop: () => void } {
  const inFlight = inFlightCount(table, pace);
  let second = 0;
  let started = 0;
  let at = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (table.rows > 0) {
      second += 1;
      report(progressOf(table, second, started, now - at, inFlight(Date.now() * 1000)));
    }
    started = startedIn(table);
    at = now;
  }, INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}
