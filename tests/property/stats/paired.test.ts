import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import { judgePairs, meanSequence, type PairedVerdict } from '../../../lib/stats/anytime.ts';

const MOST_PAIRS = 12;

/** Pairs whose runs spread by a share around a true ratio, judged after each, until they decide. */
function compared(ratio: number, spread: number, random: () => number): readonly [PairedVerdict, number] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const draw = () => Math.log(ratio) + spread * Math.SQRT2 * normal();
  const ratios = [draw(), draw()];
  for (;;) {
    const { verdict } = judgePairs(ratios, 0.1);
    if (verdict !== 'undecided' || ratios.length === MOST_PAIRS) return [verdict, ratios.length];
    ratios.push(draw());
  }
}

function table(ratio: number, spread: number) {
  const random = seededRandom(3);
  const runs = Array.from({ length: 200 }, () => compared(ratio, spread, random));
  const share = (word: PairedVerdict) => runs.filter(([verdict]) => verdict === word).length / runs.length;
  const pairs = runs.map(([, number]) => number).sort((a, b) => a - b)[runs.length >> 1] ?? Number.NaN;
  return { worse: share('worse'), better: share('better'), equivalent: share('equivalent'), pairs };
}
describe('pairs of runs, judged after each', () => {
  it.each([
    [0.01, 3],
    [0.02, 4],
    [0.03, 6],
  ])('with runs that spread by %f are equivalent where they are the same, in %i pairs or fewer', (spread, most) => {
    const { worse, better, equivalent, pairs } = table(1, spread);
    expect(worse + better).toBeLessThanOrEqual(0.01);
    expect(equivalent).toBeGreaterThan(0.98);
    expect(pairs).toBeLessThanOrEqual(most);
  });

  it.each([
    [0.005, 4],
    [0.01, 4],
    [0.02, 5],
    [0.03, 6],
  ])('with runs that spread by %f are worse 10 % apart, in %i pairs or fewer', (spread, most) => {
    const { worse, better, equivalent, pairs } = table(1.1, spread);
    expect([equivalent <= 0.05, better]).toEqual([true, 0]);
    expect(worse).toBeGreaterThan(0.95);
    expect(pairs).toBeLessThanOrEqual(most);
    expect(table(1 / 1.1, spread).better).toBeGreaterThan(0.95);
  });

  it('are never better 5 % apart, and 3 % apart nearly always equivalent', () => {
    expect(table(1.05, 0.02).better).toBe(0);
    expect(table(1.03, 0.02).equivalent).toBeGreaterThan(0.95);
  });

  it('are undecided where they say nothing, and need two', () => {
    expect(judgePairs([0.5, -0.5, 0.4], 0.1).verdict).toBe('undecided');
    expect(judgePairs([0.2, 0.21], 0.1)).toMatchObject({ verdict: 'undecided', interval: null });
    expect(() => judgePairs([0.1], 0.1)).toThrow(RangeError);
  });
});

it('the sequence of a mean leaves out the mean, at any of 60 looks, in at most as many runs as it says', () => {
  const random = seededRandom(5);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const wrong = Array.from({ length: 600 }, () => {
    const values: number[] = [];
    while (values.length < 60) {
      values.push(3 + normal());
      const [low, high] = meanSequence(values, 0.1);
      if (low > 3 || high < 3) return true;
    }
    return false;
  });
  expect(wrong.filter(Boolean).length / wrong.length).toBeLessThanOrEqual(0.1);
});
