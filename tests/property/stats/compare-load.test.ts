import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../../lib/judge/judge.ts';
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
