import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import { settledFrom } from '../../../lib/stats/settling.ts';

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
