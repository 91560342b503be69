import type { Limiter } from '../../records/load/capacity.ts';
import { median } from '../../stats/trend.ts';
import type { Trial } from './trial.ts';

/**
 * What arrivals are dropped for near the knee. A target that stalls drops what comes while it stands still beyond what its connections
 * hold, so more connections carry more; a target that gets no more done only queues longer. By the most of the steps that failed for
 * being slow; null where none did.
 */
export function limiterOf(trials: readonly Trial[], connections: number): Limiter | null {
  const slow = trials.filter(
    ({ outcome, carriedPerSecond, tailPerSecond }) =>
      outcome === 'failed' && (carriedPerSecond !== undefined || tailPerSecond !== undefined),
  );
  if (slow.length === 0) return null;
  const stalled = slow.filter(({ stallLimited }) => stallLimited === true).length;
  const lengths = trials.flatMap(({ stalls = [] }) => stalls.map(({ ms }) => ms));
  const longestMs = lengths.length === 0 ? null : Math.max(...lengths);
  return {
    kind: stalled * 2 > slow.length ? 'stalls' : 'throughput',
    stalls: lengths.length,
    medianMs: lengths.length === 0 ? null : median(lengths),
    longestMs,
    stallBoundPerSecond: longestMs === null ? null : (connections * 1000) / longestMs,
  };
}
