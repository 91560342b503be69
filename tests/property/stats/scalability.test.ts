import { describe, expect, it } from 'vitest';
import { scalabilityOf } from '../../../lib/judge/capacity/scalability.ts';
import { seededRandom } from '../../../lib/random.ts';
import type { ConnectionRate } from '../../../lib/records/load/capacity.ts';
import { uslRate } from '../../../lib/stats/usl.ts';

const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200];
type Target = (connections: number) => number;

/** What a sweep over such a target shows, with a spread of so much. */
function sweepOf(target: Target, seed: number, spread: number): ConnectionRate[] {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return COUNTS.map((connections) => ({
    ...{ connections, heldPerSecond: null, atLeast: false, meanServiceMs: null, littleBoundPerSecond: null },
    carriedPerSecond: target(connections) * (1 + spread * normal()),
  }));
}

const mostOf = (target: Target) => Math.max(...Array.from({ length: 200 }, (_, at) => target(at + 1)));

/** Targets that follow the law, with a peak from 10 connections to far beyond 200. */
const LAWFUL = Array.from({ length: 10 }, (_, at): Target => {
  const random = seededRandom(at + 1);
  const [lambda, sigma, kappa] = [20 + 200 * random(), 10 ** (-3 + 2.5 * random()), 10 ** (-6 + 3.5 * random())];
  return (n) => uslRate([lambda, sigma, kappa], n);
});
/** Targets with a fixed rate that connections share, some of which sag beyond it: they do not follow the law. */
const CAPPED = Array.from({ length: 10 }, (_, at): Target => {
  const random = seededRandom(100 + at);
  const [alone, most, sag] = [20 + 200 * random(), 3 + 60 * random(), at < 5 ? 0 : 0.003 * random()];
  return (n) => Math.min(alone * n, alone * most) / (1 + sag * n);
});

describe('the law over a sweep', () => {
  it('shows a peak within 10 % of the true one, or none, on 20 targets that follow it and do not', () => {
    const shown: string[] = [];
    for (const [at, target] of [...LAWFUL, ...CAPPED].entries()) {
      for (const spread of [0.01, 0.03]) {
        const found = scalabilityOf(sweepOf(target, at * 7 + 1, spread));
        if (found?.peak === undefined) continue;
        shown.push(`${at < 10 ? 'lawful' : 'capped'} ${at}`);
        expect(Math.abs(found.peak.perSecond.value / mostOf(target) - 1)).toBeLessThan(0.1);
      }
    }
    expect(shown.filter((name) => name.startsWith('lawful')).length).toBeGreaterThanOrEqual(8);
    expect(shown.filter((name) => name.startsWith('capped')).length).toBeLessThanOrEqual(1);
  });

  it('does not fit a fixed rate', () => {
    const reasons = CAPPED.slice(0, 5).map((target, at) => scalabilityOf(sweepOf(target, at, 0.01))?.noFit);
    expect(reasons.every((reason) => reason !== undefined)).toBe(true);
  });

  it('leaves out numbers of connections that held all that was offered, and needs five others', () => {
    const rows = sweepOf(LAWFUL[0] ?? (() => 1), 1, 0).map((row, at) => ({ ...row, atLeast: at > 3 }));
    expect(scalabilityOf(rows)).toMatchObject({ noFit: '4 of 8 numbers of connections were all busy; 5 are needed' });
  });
});
