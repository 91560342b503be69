import { describe, expect, it } from 'vitest';
import { curveOf, recoveryOf } from '../../../../lib/judge/capacity/curve.ts';
import { limiterOf } from '../../../../lib/judge/capacity/limiter.ts';
import type { Trial } from '../../../../lib/judge/capacity/trial.ts';
import type { Bucket, CellReport } from '../../../../lib/records/load/load.ts';
import { aCell, aLatency, someFacts } from '../../../helpers/a-cell-report.ts';

function curveCell(ratePerSecond: number, arrivals: 'even' | 'poisson', changes: Partial<CellReport> = {}): CellReport {
  const facts = someFacts();
  const own = arrivals === 'poisson' ? { arrivals } : {};
  return aCell({
    facts: {
      ...facts,
      plan: { ...facts.plan, ...own, targetPerSecond: ratePerSecond, durationSeconds: 31, warmupSeconds: 1 },
    },
    ...changes,
  });
}

/** A cell of 5 s of a rate, 10 s of overload and 20 s of the rate, with these p99 by second from the start of the window. */
function overload(p99: (second: number) => number | null, verdict: CellReport['verdict'] = 'violated'): CellReport {
  const facts = someFacts();
  const rates = [1, 5, 10, 20].map((seconds, at) => ({ seconds, ratePerSecond: at === 2 ? 120 : 70 }));
  const buckets = Array.from({ length: 35 }, (_, second): Bucket => {
    const scheduled = second >= 5 && second < 15 ? 120 : 70;
    const succeeded = Math.min(100, scheduled);
    return {
      ...{
        startSeconds: 1 + second,
        scheduled,
        started: succeeded,
        dropped: scheduled - succeeded,
        succeeded,
        failed: 0,
      },
      ...{ offeredPerSecond: succeeded, achievedPerSecond: succeeded, inFlight: 1, responseP50Ms: 1 },
      responseP99Ms: p99(second),
    };
  });
  return aCell({
    ...{ verdict, buckets },
    facts: {
      ...facts,
      plan: { ...facts.plan, stretches: rates, targetPerSecond: 70, durationSeconds: 36, warmupSeconds: 1 },
    },
  });
}

describe('the curve', () => {
  it('has every cell by its rate and arrivals, with its share of the claim, percentiles and intervals', () => {
    const found = curveOf([curveCell(120, 'even'), curveCell(50, 'poisson'), curveCell(50, 'even')], 100);
    expect(found?.map(({ share, arrivals, seconds }) => [share, arrivals, seconds])).toEqual([
      [0.5, 'even', 30],
      [0.5, 'poisson', 30],
      [1.2, 'even', 30],
    ]);
  });

  it('marks percentiles with few samples, and has no interval where the window is too short', () => {
    const responseTime = aLatency({
      p99Ms: 20,
      fewSamples: ['p99'],
      windowTooShort: ['p99'],
      intervals: { p50: [1, 2], p99: [null, null] },
    });
    const [point] = curveOf([curveCell(50, 'even', { responseTime })], 100) ?? [];
    expect(point?.p99).toEqual({ ms: 20, interval: null, fewSamples: true });
    expect(point?.p50.interval).toEqual([1, 2]);
  });

  it('is none where no rate is claimed', () => {
    expect(curveOf([curveCell(50, 'even')], null)).toBeNull();
  });
});

describe('the recovery', () => {
  it('counts the seconds from the end of the overload to the first of three that are back', () => {
    const found = recoveryOf([overload((second) => (second < 5 ? 10 : second < 15 ? null : second < 19 ? 200 : 12))]);
    expect(found).toMatchObject({
      seconds: 4,
      usualP99Ms: 10,
      limitMs: 20,
      overPerSecond: 120,
      overSeconds: 10,
      watchedSeconds: 20,
    });
    expect(found?.unserved).toBeCloseTo(1 / 6);
  });

  it('does not take one quiet second for an end, and is open where p99 never came back', () => {
    expect(recoveryOf([overload((second) => (second < 5 || second === 17 || second >= 25 ? 10 : 200))])?.seconds).toBe(
      10,
    );
    expect(recoveryOf([overload((second) => (second < 5 ? 10 : 200))])?.seconds).toBeNull();
  });

  it('is open where the cell was not valid, or nothing was usual before', () => {
    expect(recoveryOf([overload(() => 10, 'invalid')])).toMatchObject({ seconds: null, valid: false });
    expect(recoveryOf([overload((second) => (second < 3 ? null : 10))])).toMatchObject({
      seconds: null,
      limitMs: null,
    });
    expect(recoveryOf([])).toBeNull();
  });
});

describe('what limits a target', () => {
  const failed = (changes: Partial<Trial>): Trial => ({
    ratePerSecond: 500,
    outcome: 'failed',
    carriedPerSecond: 400,
    ...changes,
  });
  const stalls = [{ atSeconds: 1, ms: 300 }];

  it('is stalls where most slow steps dropped arrivals in stalls alone, with the rate that the connections ride out', () => {
    expect(limiterOf([failed({ stallLimited: true, stalls }), failed({ stallLimited: true, stalls })], 90)).toEqual({
      ...{ kind: 'stalls', stalls: 2, medianMs: 300, longestMs: 300, stallBoundPerSecond: 300 },
    });
  });

  it('is throughput where they did not, and nothing where no step was slow', () => {
    expect(limiterOf([failed({}), failed({ stalls })], 90)).toMatchObject({ kind: 'throughput', stalls: 1 });
    expect(limiterOf([{ ratePerSecond: 250, outcome: 'held' }], 90)).toBeNull();
  });
});
