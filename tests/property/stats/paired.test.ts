import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import { judgePairs, signFlipShare } from '../../../lib/stats/paired.ts';

/** Log ratios of so many pairs whose runs spread by a share around a true ratio. */
function pairsOf(pairs: number, ratio: number, spread: number, random: () => number): number[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: pairs }, () => Math.log(ratio) + spread * Math.SQRT2 * normal());
}

const words = (runs: number, pairs: number, ratio: number, spread: number) => {
  const random = seededRandom(3);
  return Array.from({ length: runs }, () => judgePairs(pairsOf(pairs, ratio, spread, random), 0.1).verdict);
};
const share = (found: readonly string[], word: string) => found.filter((one) => one === word).length / found.length;

describe('pairs of runs', () => {
  it('of the same are worse in at most 1 of 100, and equivalent in most', () => {
    const same = words(400, 8, 1, 0.03);
    expect(share(same, 'worse')).toBeLessThanOrEqual(0.015);
    expect(share(same, 'equivalent')).toBeGreaterThan(0.8);
  });

  it('10 % apart are never called equivalent by more than chance, and 15 % apart are worse', () => {
    expect(share(words(200, 8, 1.1, 0.03), 'equivalent')).toBeLessThanOrEqual(0.1);
    expect(share(words(200, 8, 1.1, 0.03), 'worse')).toBeGreaterThan(0.9);
    expect(share(words(200, 8, 1 / 1.15, 0.03), 'better')).toBeGreaterThan(0.95);
  });

  it('9.5 % apart and steady are worse, though that is proven to be less than 10 %, and 3 % apart they are equivalent', () => {
    expect(share(words(200, 8, 1.095, 0.004), 'worse')).toBeGreaterThan(0.95);
    expect(share(words(200, 8, 1 / 1.095, 0.004), 'better')).toBeGreaterThan(0.95);
    expect(share(words(200, 8, 1.03, 0.004), 'equivalent')).toBeGreaterThan(0.95);
  });

  it('are told by Student where too few for their signs, and undecided where they say nothing', () => {
    expect(judgePairs([0.2, 0.21, 0.19, 0.2], 0.1).verdict).toBe('worse');
    expect(judgePairs([0.5, -0.5, 0.4], 0.1).verdict).toBe('undecided');
    expect(() => judgePairs([0.1], 0.1)).toThrow(RangeError);
  });
});

describe('the share of signs', () => {
  it('is exact: of three equal values, one way in eight is as large', () => {
    expect(signFlipShare([1, 1, 1])).toBe(1 / 8);
    expect(signFlipShare([1, -1])).toBe(3 / 4);
  });
});
