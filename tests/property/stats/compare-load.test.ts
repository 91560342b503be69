import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../../lib/judge/judge.ts';
import { seededRandom } from '../../../lib/random.ts';
import { compareLoad, type LoadRun } from '../../../reports/compare/load.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { aHeader, aRun } from '../../helpers/a-run.ts';
import type { MadeArrival } from '../../helpers/k6-csv.ts';

const SECONDS = 21;
const NO_TOTALS = { totalBefore: null, totalAfter: null };

/** Service times around 20 ms with a long tail; neighbors are alike, as a queue makes them. */
function arrivalsOf(seed: number, factor: number): (tick: number) => MadeArrival {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let drift = 0;
  return () => {
    drift = 0.98 * drift + 0.02 * normal();
    return { serviceUs: Math.round(20_000 * factor * Math.exp(0.25 * normal() + drift)) };
  };
}

function aLoadRun(seed: number, factor = 1, changes: Parameters<typeof aCell>[1] = {}): LoadRun {
  const cell = aCell(arrivalsOf(seed, factor), { readBack: NO_TOTALS, ...changes }, SECONDS);
  const options = { profile: ['60k'], operation: ['apply-by-mac'] };
  const report = judge(aRun({ header: aHeader({ command: 'load', options }), cells: [cell] }), judgeCell);
  return { report, samples: new Map([[cell.facts.id, cell.samples]]) };
}

const verdict = (before: readonly LoadRun[], after: readonly LoadRun[]) =>
  compareLoad(before, after)?.cells[0]?.verdict;

describe('the comparison of two loads', () => {
  it('shows no difference between two runs of the same in at least 18 of 20 pairs', () => {
    const shown = Array.from({ length: 20 }, (_, pair) => verdict([aLoadRun(2 * pair + 1)], [aLoadRun(2 * pair + 2)]));
    expect(shown.filter((word) => word === 'no difference shown').length).toBeGreaterThanOrEqual(18);
  });

  it('shows a target that is 10 % slower as worse in 10 of 10, and the other way round as better', () => {
    for (let pair = 0; pair < 10; pair += 1) {
      const [normal, slow] = [aLoadRun(100 + pair), aLoadRun(200 + pair, 1.1)];
      expect(verdict([normal], [slow])).toBe('worse');
      expect(verdict([slow], [normal])).toBe('better');
    }
  });

  it('counts the spread between several runs: what differs no more than runs of the same is no difference', () => {
    const uneven = (seed: number) => [0.8, 1.0, 1.25].map((factor, run) => aLoadRun(seed + run, factor));
    expect(verdict([aLoadRun(1, 0.85)], [aLoadRun(2, 1.15)])).toBe('worse');
    expect(
      verdict(
        uneven(10),
        uneven(20).map((run) => run),
      ),
    ).toBe('no difference shown');
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

  it('compares no invalid cell, no cell without samples and no two different loads', () => {
    const cut = aLoadRun(1, 1, { generator: { streamComplete: false } });
    expect(verdict([cut], [aLoadRun(2)])).toBe('not comparable');
    expect(verdict([{ ...aLoadRun(1), samples: new Map() }], [aLoadRun(2)])).toBe('not comparable');
    expect(verdict([aLoadRun(1, 1, { plan: { connections: 30 } })], [aLoadRun(2)])).toBe('not comparable');
    expect(compareLoad([aLoadRun(1)], [])).toBeNull();
  });

  it('calls a cell that is violated where it was met worse, whatever its latency', () => {
    const failing = (tick: number): MadeArrival => (tick % 50 === 0 ? { dropped: true } : { serviceUs: 1000 });
    const cell = aCell(failing, { plan: { connections: 1 } }, SECONDS);
    const before = aLoadRun(1, 1, { plan: { connections: 1 } });
    const header = aHeader({ command: 'load', options: { profile: ['60k'], operation: ['apply-by-mac'] } });
    const report = judge(aRun({ header, cells: [cell] }), (facts, samples) => ({
      ...judgeCell(facts, samples),
      verdict: 'violated',
    }));
    expect(verdict([before], [{ report, samples: new Map([[cell.facts.id, cell.samples]]) }])).toBe('worse');
  });
});
