import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import { studentQuantile } from '../../../lib/stats/spread.ts';
import { changePoints, settledFrom } from '../../../lib/stats/trend.ts';
import { wilson } from '../../../lib/stats/wilson.ts';

function noisy(length: number, seed: number, level: (at: number) => number): number[] {
  const random = seededRandom(seed);
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length }, (_, at) => level(at) * (1 + 0.05 * gauss()));
}

describe('change points', () => {
  it('are found within 3 values of a step of 10 % under 5 % noise, in nine of ten of 200 series', () => {
    let found = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = seededRandom(seed * 13);
      const length = 60 + Math.floor(random() * 60);
      const step = 20 + Math.floor(random() * (length - 40));
      const points = changePoints(noisy(length, seed, (at) => (at < step ? 20 : 22))) ?? [];
      if (points.some(({ index }) => Math.abs(index - step) <= 3)) found += 1;
    }
    expect(found).toBeGreaterThanOrEqual(180);
  });

  it('are false at most once in 1,000 flat values', () => {
    let wrong = 0;
    for (let seed = 1; seed <= 110; seed += 1) wrong += (changePoints(noisy(90, seed * 31, () => 20)) ?? []).length;
    expect(wrong).toBeLessThanOrEqual(9);
  });

  it('are none of a constant, two of a hump, and not enough of 19 values', () => {
    expect(changePoints(Array.from({ length: 40 }, () => 7))).toEqual([]);
    const hump = noisy(90, 5, (at) => (at >= 30 && at < 60 ? 30 : 20));
    expect(changePoints(hump)?.map(({ index }) => index)).toEqual([30, 60]);
    expect(changePoints(hump.slice(0, 19))).toBeNull();
  });
});

/** Sixty medians of a level that goes with the place from 0 to 1, each off by up to 8 %. */
function series(seed: number, level: (place: number) => number): number[] {
  const draw = seededRandom(seed);
  return Array.from({ length: 60 }, (_, at) => level(at / 60) * (0.92 + 0.16 * draw()));
}

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed * 7919 + 1);

/** Share of the series for which it holds. */
const share = (level: (place: number) => number, holds: (from: number | null | undefined) => boolean) =>
  SEEDS.filter((seed) => holds(settledFrom(series(seed, level)))).length / SEEDS.length;

describe('where a level has settled', () => {
  it('is the begin where it never changed, but for one in twenty', () => {
    const flat = () => 5;
    expect(share(flat, (from) => from === 0)).toBeGreaterThanOrEqual(0.95);
  });

  it('is behind what a cold start adds, however it falls', () => {
    const cold = (place: number) => (place < 0.25 ? 10 : 5);
    expect(share(cold, (from) => typeof from === 'number' && from >= 15 && from <= 22)).toBeGreaterThanOrEqual(0.95);
    const falls = (place: number) => 5 + 10 * Math.exp(-place / 0.07);
    expect(share(falls, (from) => typeof from === 'number' && from > 5 && from < 30)).toBeGreaterThanOrEqual(0.95);
  });

  it('is nowhere where it drifts, or changes late', () => {
    const isNowhere = (from: number | null | undefined) => from === null;
    for (const level of [(place: number) => 5 + 10 * place, (place: number) => (place > 0.8 ? 10 : 5)])
      expect(share(level, isNowhere)).toBeGreaterThanOrEqual(0.95);
  });

  it('is not moved by a stall, or by a change that is too small to matter', () => {
    expect(settledFrom(series(1, (place) => (place > 0.5 && place < 0.53 ? 300 : 5)))).toBe(0);
    expect(settledFrom(series(1, (place) => (place < 0.3 ? 0.9 : 0.5)))).toBe(0);
  });

  it('is unknown of fewer than forty values', () => {
    expect(settledFrom([5, 5, 5])).toBeUndefined();
  });
});

describe('the Wilson interval', () => {
  it('agrees with published values', () => {
    const { low, high } = wilson(41, 53);
    expect(low).toBeCloseTo(0.645, 3);
    expect(high).toBeCloseTo(0.8655, 3);
  });

  it('never leaves 0 to 1, and holds the share', () => {
    for (const { share, low, high } of [wilson(0, 5), wilson(5, 5), wilson(1, 300), wilson(0, 0)])
      expect([0, low, share, high, 1]).toEqual([0, low, share, high, 1].toSorted((one, other) => one - other));
  });
});

it('takes quantiles of Student’s distribution as the published tables have them, and no share outside 0 to 1', () => {
  const rows: readonly (readonly [share: number, df: number, value: number])[] = [
    [0.975, 5, 2.571],
    [0.95, 10, 1.812],
    [0.995, 30, 2.75],
    [0.975, 1e6, 1.96],
  ];
  for (const [p, df, value] of rows) expect(studentQuantile(p, df)).toBeCloseTo(value, 3);
  for (const p of [0, 1, Number.NaN, -1]) expect(() => studentQuantile(p, 3)).toThrow(RangeError);
});
