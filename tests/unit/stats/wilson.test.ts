import { describe, expect, it } from 'vitest';
import { wilson } from '../../../lib/stats/wilson.ts';

describe('the Wilson interval', () => {
  it('agrees with published values', () => {
    const { low, high } = wilson(41, 53);
    expect(low).toBeCloseTo(0.645, 3);
    expect(high).toBeCloseTo(0.8655, 3);
  });

  it('never leaves 0 to 1, and holds the share', () => {
    for (const [successes, trials] of [
      [0, 5],
      [5, 5],
      [1, 300],
      [0, 0],
    ] as const) {
      const { share, low, high } = wilson(successes, trials);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(share);
      expect(high).toBeGreaterThanOrEqual(share);
    }
  });
});
