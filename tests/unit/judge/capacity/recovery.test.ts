import { describe, expect, it } from 'vitest';
import { limiterOf } from '../../../../lib/judge/capacity/capacity-answer.ts';
import { recoveryOf } from '../../../../lib/judge/capacity/recovery.ts';
import type { Trial } from '../../../../lib/judge/capacity/trial.ts';
import type { Bucket, CellReport } from '../../../../lib/records/load/load.ts';
import { aCell, someFacts } from '../../../helpers/a-cell-report.ts';

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
  const plan = { ...facts.plan, stretches: rates, targetPerSecond: 70, durationSeconds: 36, warmupSeconds: 1 };
  return aCell({ verdict, buckets, facts: { ...facts, plan } });
}

describe('the recovery', () => {
  it('counts the seconds from the end of the overload to the first of three that are back', () => {
    const found = recoveryOf([overload((second) => (second < 5 ? 10 : second < 15 ? null : second < 19 ? 200 : 12))]);
    expect(found).toMatchObject({ seconds: 4, limitMs: 20, overPerSecond: 120, overSeconds: 10, watchedSeconds: 20 });
    expect(found?.unserved).toBeCloseTo(1 / 6);
  });

  it('does not take one quiet second for an end, and is open where p99 never came back', () => {
    const quiet = overload((second) => (second < 5 || second === 17 || second >= 25 ? 10 : 200));
    expect(recoveryOf([quiet])?.seconds).toBe(10);
    expect(recoveryOf([overload((second) => (second < 5 ? 10 : 200))])?.seconds).toBeNull();
  });

  it('is open where the cell was not valid, or nothing was usual before', () => {
    expect(recoveryOf([overload(() => 10, 'invalid')])).toMatchObject({ seconds: null, valid: false });
    const open = { seconds: null, limitMs: null };
    expect(recoveryOf([overload((second) => (second < 3 ? null : 10))])).toMatchObject(open);
    expect(recoveryOf([])).toBeNull();
  });
});

describe('what limits a target', () => {
  const failed = (changes: Partial<Trial>): Trial => ({
    ...{ ratePerSecond: 500, outcome: 'failed', carriedPerSecond: 400, ...changes },
  });
  const stalls = [{ atSeconds: 1, ms: 300 }];

  it('is stalls where most slow steps dropped arrivals in stalls alone, with the rate that the connections ride out', () => {
    expect(limiterOf([failed({ stallLimited: true, stalls }), failed({ stallLimited: true, stalls })])).toEqual({
      ...{ kind: 'stalls', stalls: 2, medianMs: 300, longestMs: 300 },
    });
  });

  it('is throughput where they did not, and nothing where no step was slow', () => {
    expect(limiterOf([failed({}), failed({ stalls })])).toMatchObject({ kind: 'throughput', stalls: 1 });
    expect(limiterOf([{ ratePerSecond: 250, outcome: 'held' }])).toBeNull();
  });
});
