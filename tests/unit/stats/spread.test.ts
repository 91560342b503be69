import { expect, it } from 'vitest';
import { studentQuantile } from '../../../lib/stats/spread.ts';

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
