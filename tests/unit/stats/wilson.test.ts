import { describe, expect, it } from 'vitest';
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
