import { describe, expect, it } from 'vitest';
import { atEndOf } from '../../../../lib/judge/capacity/at-end.ts';
import type { CellReport } from '../../../../lib/records/load/load.ts';
import type { Series } from '../../../../lib/records/load/parts.ts';

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
