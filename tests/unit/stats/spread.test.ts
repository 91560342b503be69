import { describe, expect, it } from 'vitest';
import { studentQuantile } from '../../../lib/stats/spread.ts';

const SHARES = [0.6, 0.75, 0.9, 0.95, 0.975, 0.995, 0.9995];

/** Share below `t` with three degrees of freedom, in closed form. */
const belowOfThree = (t: number) => 0.5 + (t / Math.sqrt(3) / (1 + t ** 2 / 3) + Math.atan(t / Math.sqrt(3))) / Math.PI;

describe('the quantile of Student’s distribution', () => {
  it('is that of the closed forms for one, two and three degrees of freedom', () => {
    for (const p of SHARES) {
      const one = Math.tan(Math.PI * (p - 0.5));
      const two = (2 * p - 1) / Math.sqrt(2 * p * (1 - p));
      expect(studentQuantile(p, 1) / one).toBeCloseTo(1, 6);
      expect(studentQuantile(p, 2) / two).toBeCloseTo(1, 6);
      expect(belowOfThree(studentQuantile(p, 3))).toBeCloseTo(p, 8);
    }
  });

  it('is that of the published tables for more, and of the normal distribution for very many', () => {
    const rows: readonly (readonly [number, number, number])[] = [
      [0.975, 5, 2.571],
      [0.95, 10, 1.812],
      [0.995, 30, 2.75],
      [0.975, 120, 1.98],
      [0.975, 1e6, 1.96],
    ];
    for (const [p, df, value] of rows) expect(studentQuantile(p, df)).toBeCloseTo(value, 3);
    expect(studentQuantile(0.025, 7)).toBeCloseTo(-studentQuantile(0.975, 7), 9);
    expect(studentQuantile(0.5, 4)).toBeCloseTo(0, 9);
  });

  it('takes degrees of freedom that are no whole number, and no share outside 0 to 1', () => {
    const [six, between, seven] = [6, 6.4, 7].map((df) => studentQuantile(0.975, df));
    expect(between).toBeLessThan(six ?? 0);
    expect(between).toBeGreaterThan(seven ?? 0);
    for (const p of [0, 1, Number.NaN, -1]) expect(() => studentQuantile(p, 3)).toThrow(RangeError);
  });
});
