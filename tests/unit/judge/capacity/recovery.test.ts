import { describe, expect, it } from 'vitest';
import { limiterOf } from '../../../../lib/judge/capacity/capacity-answer.ts';
import { atEndOf, recoveryOf } from '../../../../lib/judge/capacity/recovery.ts';
import type { Trial } from '../../../../lib/judge/capacity/trial.ts';
import type { Bucket, CellReport } from '../../../../lib/records/load/load.ts';
import type { Series } from '../../../../lib/records/load/parts.ts';
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

const KNEE = 500;
const RATES = [250, 375, 490, 520, 700];

/** Value of a thing at an offered rate. */
type Course = (rate: number) => number;
/** At its end from the knee on. */
const full =
  (limit: number): Course =>
  (rate) =>
    limit * Math.min(1, rate / KNEE) * 0.99;
/** As much as the target gets done, and far from its limit: flat beyond the knee all the same. */
const idle =
  (limit: number): Course =>
  (rate) =>
    0.4 * limit * Math.min(1, rate / KNEE);

interface Given {
  readonly course: Course;
  readonly limit?: number;
}

const steps = (given: Readonly<Record<string, Given>>, rates: readonly number[] = RATES): CellReport[] =>
  rates.map((rate) => {
    const series = Object.entries(given).map(
      ([name, { course, limit }]): Series => ({
        name,
        ...(limit === undefined ? {} : { limit }),
        points: [0, 1, 2, 3, 4].map((second) => [second, course(rate) * (1 + 0.01 * ((second % 3) - 1))]),
      }),
    );
    const facts = {
      plan: { targetPerSecond: rate, warmupSeconds: 1, durationSeconds: 5 },
      step: { number: rate, purpose: 'search' },
      ...(series.length === 0 ? {} : { series }),
    };
    return { verdict: rate <= KNEE ? 'met' : 'violated', facts } as unknown as CellReport;
  });

/** Things that may be at their end, with the limit of each. */
const LIMITS: Readonly<Record<string, number>> = {
  ...{ generator: 2, connections: 100, 'pace of one connection': 1, processor: 4, memory: 8e9, queue: 1000 },
  ...{ store: 1, 'disk writes': 5000, network: 1e9, lock: 1, threads: 200, 'file handles': 1024 },
};
const others = (name: string) =>
  Object.fromEntries(
    Object.entries(LIMITS)
      .filter(([other]) => other !== name)
      .map(([other, limit]) => [other, { course: idle(limit), limit }]),
  );
const named = (given: Readonly<Record<string, Given>>, rates?: readonly number[]) =>
  atEndOf(steps(given, rates))?.reached.map(({ name }) => name);

describe('what was at its end when the knee came', () => {
  it.each(Object.entries(LIMITS))('is %s, where its series shows it', (name, limit) => {
    expect(named({ ...others(name), [name]: { course: full(limit), limit } })).toEqual([name]);
  });

  const unknown: readonly (readonly [string, ReturnType<typeof named>, readonly string[] | undefined])[] = [
    ['no series was given', named({}), undefined],
    ['only other things were looked at', named(others('processor')), []],
    ['a series is at its end and nobody said where that is', named({ lock: { course: full(1) } }), []],
    ['a thing is always full', named({ memory: { course: () => 8e9, limit: 8e9 } }), []],
    ['nothing far below the knee was measured', named({ queue: { course: full(9), limit: 9 } }, [490, 520]), []],
    ['nothing beyond the knee was measured', named({ queue: { course: full(9), limit: 9 } }, [250, 490]), []],
  ];
  it.each(unknown)('is unknown where %s', (_name, found, wanted) => {
    expect(found).toEqual(wanted);
  });

  it('counts the series that came with a value, and those with a limit', () => {
    const given = { a: { course: idle(1), limit: 1 }, b: { course: idle(1) } };
    expect(atEndOf(steps(given))).toMatchObject({ series: 2, limited: 1 });
  });
});
