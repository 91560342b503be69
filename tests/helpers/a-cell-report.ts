import type { RunRecords } from '../../lib/records/folder/reader.ts';
import { type CellFacts, type CellReport, emptySamples, type Latency } from '../../lib/records/load/load.ts';
import { encodeHistogram, histogramOf } from '../../lib/stats/latency.ts';

/** 5,000 latencies from 0.4 ms to 21.7 ms with a long tail. */
const SAMPLE_HDR = encodeHistogram(
  histogramOf(
    Array.from({ length: 5000 }, (_, n) => Math.min(21_700, Math.round(400 + 600 * -Math.log(1 - n / 5000)))),
  ),
);

export function aLatency(overrides: Partial<Latency> = {}): Latency {
  return {
    ...{ count: 5000, unserved: 0, minMs: 0.4, meanServedMs: 1.3 },
    ...{ p50Ms: 1.1, p90Ms: 2.2, p95Ms: 2.9, p99Ms: 6.5, p999Ms: 14.2, maxMs: 21.7, maxServedMs: 21.7 },
    intervals: { p99: [5.9, 7.4] },
    fewSamples: ['p99', 'p999'],
    hdr: SAMPLE_HDR,
    ...overrides,
  };
}

export function someFacts(overrides: Partial<CellFacts> = {}): CellFacts {
  const { profile = '60k', operation = 'apply-by-mac', attempt = 1 } = overrides;
  return {
    ...{ id: `${profile}-${operation}-${attempt}`, profile, operation, depth: 'quick', attempt },
    startedAt: '2026-01-31T02:01:00.000Z',
    plan: {
      ...{ targetPerSecond: 250, sessions: 60_000, durationSeconds: 20, warmupSeconds: 2, bucketSeconds: 1 },
      ...{ connections: 50, timeoutMs: 30_000, poolSize: 60_000, reuseSeconds: 240 },
    },
    counts: { scheduled: 5500, started: 5500, dropped: 0, recorded: 5500, exceptions: 0 },
    failures: [],
    generator: {
      ...{ k6Version: 'v2.2.0', k6Sha256: 'a'.repeat(64), bundleSha256: 'b'.repeat(64) },
      ...{ exitCode: 0, signal: null, streamComplete: true, k6CpuMean: 0.18, k6CpuMax: 0.31 },
      ...{ collectorCpuMean: 0.05, eventLoopDelayP99Ms: 1.2, cores: 4, clockStepMs: 0.1, warnings: [] },
    },
    readBack: { sampled: 100, proven: 100, mismatches: [], totalBefore: 0, totalAfter: 5500 },
    ...overrides,
  };
}

/** A judged cell that was met. */
export function aCell(overrides: Partial<CellReport> = {}): CellReport {
  const { profile = '60k', operation = 'apply-by-mac', attempt = 1 } = overrides;
  const facts = overrides.facts ?? someFacts({ profile, operation, attempt });
  const rates = { offeredPerSecond: 250, achievedPerSecond: 250 };
  return {
    ...{ id: facts.id, profile, operation, verdict: 'met', reasons: [] },
    rules: [
      {
        ...{ id: 'achieved-rate', text: 'verified successes per second in every bucket' },
        ...{ measured: '250.0/s in the lowest bucket', limit: '249.5/s', holds: true, effect: 'violated' },
      },
      {
        ...{ id: 'schedule', text: 'arrivals dropped by the generator' },
        ...{ measured: '0', limit: '0', holds: true, effect: 'invalid' },
      },
    ],
    ...{ attempt, scheduled: 5000, started: 5000, dropped: 0, succeeded: 5000, failed: 0, failures: [], ...rates },
    serviceTime: aLatency(),
    responseTime: aLatency({ p50Ms: 1.3, p99Ms: 7.1 }),
    lag: { p50Ms: 0.1, p99Ms: 0.9, maxMs: 3.2 },
    inFlightMean: 0.33,
    buckets: Array.from({ length: 20 }, (_, second) => ({
      ...{ startSeconds: second, scheduled: 250, started: 250, dropped: 0, succeeded: 250, failed: 0, ...rates },
      ...{ inFlight: 0.3, responseP50Ms: 1.2 + (second % 3) * 0.1, responseP99Ms: 6 + (second % 5) },
    })),
    facts,
    ...overrides,
  };
}

/** A record of a cell without samples, for a judge that is given its verdict. */
export function aCellRecord(facts: Partial<CellFacts> = {}): RunRecords['cells'][number] {
  return { facts: someFacts(facts), samples: emptySamples(0) };
}

/** A judged cell of the given facts, met. */
export function cellOf(facts: CellReport['facts']): CellReport {
  const { id, profile, operation, attempt } = facts;
  return aCell({ facts, id, profile, operation, attempt });
}
