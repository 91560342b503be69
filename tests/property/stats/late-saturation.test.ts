import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import { seededRandom } from '../../../lib/random.ts';
import { aCell } from '../../helpers/a-cell.ts';
import type { MadeArrival } from '../../helpers/k6-csv.ts';

const RATE = 250;

/** Arrivals at a target of one queue: `perSecond(t)` is what it gets done then; an answer takes `serviceMs` besides the wait. */
function queue(perSecond: (second: number) => number, serviceMs = 3): (tick: number) => MadeArrival {
  let free = 0;
  return (tick) => {
    const now = tick / RATE;
    free = Math.max(free, now) + 1 / perSecond(now);
    return { lagUs: 200, serviceUs: Math.round((Math.max(0, free - now) + serviceMs / 1000) * 1e6) };
  };
}

/** A queue of several servers with lognormal service times, which is busy for `busy` of its time. */
function noisy(busy: number, seed: number): (tick: number) => MadeArrival {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const servers = [0, 0, 0, 0];
  const mean = (busy * servers.length) / RATE;
  return (tick) => {
    const now = tick / RATE;
    const next = servers.indexOf(Math.min(...servers));
    const end = Math.max(now, servers[next] ?? 0) + mean * Math.exp(0.5 * normal() - 0.125);
    servers[next] = end;
    return { lagUs: 200, serviceUs: Math.round((end - now) * 1e6) };
  };
}

const judged = (arrivals: (tick: number) => MadeArrival, seconds: number, warmupSeconds = 2, bucketSeconds = 1) => {
  const { facts, samples } = aCell(
    arrivals,
    { plan: { warmupSeconds, bucketSeconds, poolSize: 200_000, reuseSeconds: 800 } },
    seconds,
  );
  return judgeCell(facts, samples);
};

describe('a target that saturates late', () => {
  it.each([
    ['a quick cell, 20 % short in the last 1.8 s', 12, 1.8, 200, 1],
    ['a nightly cell, 243.5/s in the last 14 s', 65, 14, 243.5, 10],
    ['a full cell, 248.4/s in the last 57 s', 250, 57, 248.4, 10],
  ])('violates %s', (_name, seconds, last, perSecond, bucketSeconds) => {
    const collapse = queue((second) => (second >= seconds - last ? perSecond : 5000));
    const { verdict, reasons } = judged(collapse, seconds, 2, bucketSeconds);
    expect(reasons.join()).toMatch(/fell behind at the end/);
    expect(verdict).toBe('violated');
  });

  it('is told from one that is busy and keeps up, and from a pause that is worked off', () => {
    const met = Array.from({ length: 40 }, (_, seed) => judged(noisy(0.85, seed), 12).verdict === 'met');
    expect(met.filter(Boolean).length).toBeGreaterThanOrEqual(37);
    const paused = queue((second) => (second > 6 && second < 6.2 ? 100 : 5000));
    expect(judged(paused, 12).verdict).toBe('met');
  });
});

describe('a target that stops for a while', () => {
  it('is reported as stalled, and not as too slow', () => {
    const connections = 100;
    const stall = (tick: number): MadeArrival => {
      const now = tick / RATE;
      if (now < 5 || now >= 5.5) return { lagUs: 200, serviceUs: 3000 };
      if (now >= 5 + connections / RATE) return { dropped: true };
      return { lagUs: 200, serviceUs: Math.round((5.5 - now) * 1e6) + 3000 };
    };
    const { verdict, reasons, stalls } = judged(stall, 12);
    expect(verdict).toBe('violated');
    expect(reasons.join()).toMatch(/stalled for 50\d ms from second 5\.0/);
    expect(reasons.join()).not.toMatch(/too slow/);
    expect(stalls).toHaveLength(1);
  });

  it('is not said of a generator that paused', () => {
    const late = (tick: number): MadeArrival => (tick >= 1250 && tick < 1300 ? { lagUs: (1300 - tick) * 4000 } : {});
    expect(judged(late, 12).stalls).toEqual([]);
  });
});
