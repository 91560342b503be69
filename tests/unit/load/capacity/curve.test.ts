import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { curveCells } from '../../../../load/capacity/curve.ts';
import { wholeSpec } from '../../../../load/capacity/defaults.ts';
import { mostTime } from '../../../../load/capacity/phases.ts';
import { planCapacity } from '../../../../load/capacity/plan-capacity.ts';
import { CapacitySpec } from '../../../../load/capacity/spec.ts';

/** A search on so many endpoints, with these options as they are typed. */
function plan(endpoints: number, given: Readonly<Record<string, unknown>> = {}) {
  const pool = readPool(`02:00:00:00:00:00+${endpoints}@10.0.0.0`);
  return planCapacity(wholeSpec(CapacitySpec.parse(given)), '60k', { pool, policy: 'Quarantine' });
}

describe('the cells of the curve', () => {
  it('go from a tenth of the claim to a fifth above it, even and Poisson, and end with the recovery', () => {
    const cells = curveCells(400, plan(100_000, { curve: 'both' }));
    expect(cells.map(({ ratePerSecond, arrivals }) => `${ratePerSecond} ${arrivals}`)).toEqual([
      ...[40, 100, 200, 280, 360, 400, 480].flatMap((rate) => [`${rate} even`, `${rate} poisson`]),
      '280 even',
    ]);
    expect(cells.at(-1)).toMatchObject({
      purpose: 'recovery',
      stretches: [
        { seconds: 5, ratePerSecond: 280 },
        { seconds: 10, ratePerSecond: 480 },
        { seconds: 30, ratePerSecond: 280 },
      ],
    });
  });

  it('never offer more than may be offered', () => {
    const cells = curveCells(400, plan(100_000, { curve: 'both', maxRatePerSecond: '450' }));
    const offered = cells.flatMap(({ ratePerSecond, stretches = [] }) => [
      ratePerSecond,
      ...stretches.map((stretch) => stretch.ratePerSecond),
    ]);
    expect(Math.max(...offered)).toBe(400);
    expect(cells.some(({ purpose }) => purpose === 'recovery')).toBe(false);
  });

  it('are as short as a small pool asks for, and are left out where it is too small for two seconds', () => {
    const cells = curveCells(400, plan(3000, { curve: 'both' }));
    const seconds = new Map(
      cells.filter(({ purpose }) => purpose === 'curve').map((cell) => [cell.ratePerSecond, cell.seconds]),
    );
    expect([seconds.get(40), seconds.get(400), seconds.get(480)]).toEqual([30, 5, undefined]);
    expect(curveCells(2000, plan(3000, { curve: 'both' })).map(({ ratePerSecond }) => ratePerSecond)).not.toContain(
      2000,
    );
  });

  it('are the recovery alone by default', () => {
    expect(curveCells(400, plan(100_000)).map(({ purpose }) => purpose)).toEqual(['recovery']);
  });

  it('are none, or even alone, where that is asked for', () => {
    expect(curveCells(400, plan(100_000, { curve: 'none' }))).toEqual([]);
    expect(curveCells(400, plan(100_000, { curve: 'even' })).every(({ arrivals }) => arrivals === 'even')).toBe(true);
  });
});

describe('the time of a search', () => {
  it('is ten minutes and what comes after it, or what was given', () => {
    const { search, run } = mostTime(plan(60_000));
    expect([search, run > search]).toEqual([600, true]);
    expect(mostTime(plan(60_000, { forSeconds: '10m' })).run).toBe(600);
    expect(() => plan(60_000, { forSeconds: '10m', sweep: '1,2,5,10,20', curve: 'both' })).toThrow('leave too little');
  });
});
