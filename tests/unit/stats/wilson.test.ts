import { describe, expect, it } from 'vitest';
import { studentQuantile } from '../../../lib/stats/spread.ts';
import { wilson } from '../../../lib/stats/wilson.ts';

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
