import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../../lib/judge/judge.ts';
import { seededRandom } from '../../../lib/random.ts';
import { compareLoad, type LoadRun } from '../../../reports/compare/load.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { aLoadRun, SECONDS } from '../../helpers/a-load-run.ts';
import { aHeader, aRun, given } from '../../helpers/a-run.ts';
import type { MadeArrival } from '../../helpers/k6-csv.ts';

const USUAL = aLoadRun(1);

const verdict = (before: readonly LoadRun[], after: readonly LoadRun[]) =>
  compareLoad(before, after)?.cells[0]?.verdict;

describe('the comparison of two loads', () => {
  it('shows no difference between two runs of the same in at least 9 of 10 pairs', () => {
    const shown = Array.from({ length: 10 }, (_, pair) => verdict([aLoadRun(2 * pair + 1)], [aLoadRun(2 * pair + 2)]));
    expect(shown.filter((word) => word === 'no difference shown').length).toBeGreaterThanOrEqual(9);
  });

  it('shows a target that is 10 % slower as worse in 3 of 3 with three runs a side, and the other way round as better', () => {
    const three = (seed: number, factor = 1) => [0, 1, 2].map((run) => aLoadRun(seed + run, factor));
    for (let pair = 0; pair < 3; pair += 1) {
      const [normal, slow] = [three(100 + 10 * pair), three(200 + 10 * pair, 1.1)];
      expect(verdict(normal, slow)).toBe('worse');
      expect(verdict(slow, normal)).toBe('better');
    }
  });

  it('never calls one run a side worse or better, however far apart', () => {
    for (let pair = 0; pair < 3; pair += 1)
      expect(verdict([aLoadRun(100 + pair)], [aLoadRun(200 + pair, 1.3)])).toBe('differs');
    const two = (seed: number, factor: number) => [0, 1].map((run) => aLoadRun(seed + run, factor));
    expect(verdict(two(1, 1), two(3, 1.3))).not.toBe('worse');
  });

  it.each([
    ['connections', { plan: { connections: 30 } }],
    ['seconds', { plan: { warmupSeconds: 2 } }],
    ['pool', { plan: { poolSize: 30_000 } }],
    ['depth', { depth: 'normal' as const }],
    ['timeout', { plan: { timeoutMs: 9000 } }],
    ['generator', { generator: { k6Version: '2.3.0' } }],
    ['processors', { generator: { cores: 8 } }],
  ])('compares no cells that were loaded differently, and says in what: %s', (name, changes) => {
    const [cell] = compareLoad([USUAL], [aLoadRun(2, 1, changes)])?.cells ?? [];
    expect(cell?.verdict).toBe('not comparable');
    expect(cell?.reasons.join()).toContain(name === 'seconds' ? 'warm-up' : name);
  });

  it('counts the spread between several runs: what differs no more than runs of the same is no difference', () => {
    const uneven = (seed: number) => [0.8, 1.0, 1.25].map((factor, run) => aLoadRun(seed + run, factor));
    expect(verdict([aLoadRun(1, 0.85)], [aLoadRun(2, 1.15)])).toBe('differs');
    expect(verdict(uneven(10), uneven(20))).toBe('no difference shown');
    const alike = (seed: number, factor: number) => [0, 1, 2, 3].map((run) => aLoadRun(seed + run, factor));
    expect(verdict(alike(30, 1), alike(40, 1.1))).toBe('worse');
  });

  it('says which difference the data could have shown, and gives the same intervals every time', () => {
    const runs = [[aLoadRun(1)], [aLoadRun(2)]] as const;
    const first = compareLoad(...runs);
    expect(compareLoad(...runs)).toEqual(first);
    const p50 = first?.cells[0]?.differences.find(
      ({ latency, percentile }) => latency === 'service' && percentile === 'p50',
    );
    expect(p50?.smallestShownMs).toBeGreaterThan(0.2);
    expect(p50?.smallestShownMs).toBeLessThan(2);
    const [low = 0, high = 0] = p50?.intervalMs ?? [];
    expect(high - low).toBeCloseTo(2 * (p50?.smallestShownMs ?? 0), 6);
  });

  it('compares no invalid cell and no cell without samples', () => {
    const cut = aLoadRun(1, 1, { generator: { streamComplete: false } });
    expect(verdict([cut], [USUAL])).toBe('not comparable');
    expect(verdict([{ ...USUAL, samples: new Map() }], [USUAL])).toBe('not comparable');
    expect(compareLoad([USUAL], [])).toBeNull();
  });

  it('says of a cell that is violated in all runs where it was met in all that it is worse, and otherwise that it differs', () => {
    const failing = (tick: number): MadeArrival => (tick % 50 === 0 ? { dropped: true } : { serviceUs: 1000 });
    const cell = aCell(failing, { plan: { connections: 1 } }, SECONDS);
    const before = aLoadRun(1, 1, { plan: { connections: 1 } });
    const header = aHeader({ command: 'load', options: given({ profiles: ['60k'], operations: ['apply-by-mac'] }) });
    const report = judge(aRun({ header, cells: [cell] }), (facts, samples) => ({
      ...judgeCell(facts, samples),
      verdict: 'violated',
    }));
    const after = { report, samples: new Map([[cell.facts.id, () => cell.samples]]) };
    expect(verdict([before], [after])).toBe('worse');
    expect(verdict([before, before], [after, before])).toBe('differs');
  });
});

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
