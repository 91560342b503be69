import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import type { CellReport } from '../../../lib/records/load/load.ts';
import type { Report } from '../../../lib/records/report.ts';
import { comparePairs, pairLines, type RunPair } from '../../../reports/compare/pairs.ts';
import { aCell, aLatency, someFacts } from '../../helpers/a-cell-report.ts';
import { aMixedReport } from '../../helpers/a-report.ts';

const random = seededRandom(4);

/** A run of one cell whose service time is near this, give or take 2 %. */
function aRun(p50Ms: number, changes: Partial<CellReport> = {}): Report {
  const cell = aCell({ serviceTime: aLatency({ p50Ms: p50Ms * (1 + 0.02 * (2 * random() - 1)) }), ...changes });
  const report = aMixedReport();
  return { ...report, load: { verdict: 'met', repeated: [], ...report.load, cells: [cell] } };
}

type Side = number | (() => Report);
const runOf = (side: Side) => (typeof side === 'number' ? aRun(side) : side());
/** Eight pairs of runs, each near its p50 or as it is made. */
const pairs = (a: Side, b: Side): readonly RunPair[] => Array.from({ length: 8 }, () => [runOf(a), runOf(b)] as const);
const verdict = (runs: readonly RunPair[]) => comparePairs(runs, 'p50', 0.1)[0]?.verdict;

describe('two targets compared by pairs of runs', () => {
  it('are equivalent where they are the same, and worse or better where they are not', () => {
    expect(verdict(pairs(10, 10))).toBe('equivalent');
    expect(verdict(pairs(10, 12))).toBe('worse');
    expect(verdict(pairs(12, 10))).toBe('better');
    const [line] = pairLines(comparePairs(pairs(10, 12), 'p50', 0.1), 'p50', 0.1);
    expect(line).toMatch(/apply-by-mac: worse; service p50 \+(19|20|21)\.\d %, 95 % interval .* 8 pairs/);
  });

  it('are not equivalent where one of them did not hold its rate, and worse where that is no chance', () => {
    const violated = () => aRun(10, { verdict: 'violated' });
    expect(verdict(pairs(10, violated))).toBe('worse');
    const once = pairs(10, 10).map((pair, at): RunPair => (at === 0 ? [pair[0], violated()] : pair));
    expect(verdict(once)).toBe('undecided');
  });

  it('are not compared where they were loaded differently, and invalid cells are left out', () => {
    const facts = someFacts();
    const other = () => aRun(10, { facts: { ...facts, plan: { ...facts.plan, connections: 7 } } });
    const [cell] = comparePairs(pairs(10, other), 'p50', 0.1);
    const reasons = ['not the same load: connections: 50 against 7'];
    expect(cell).toMatchObject({ verdict: 'not comparable', reasons });
    const cut = pairs(10, () => aRun(10, { verdict: 'invalid' }));
    expect(comparePairs(cut, 'p50', 0.1)[0]).toMatchObject({ verdict: 'not comparable' });
  });

  it('leave out the pairs in which a cell was run again for longer', () => {
    const facts = someFacts();
    const longer = { ...facts, plan: { ...facts.plan, durationSeconds: facts.plan.durationSeconds * 2 } };
    const runs = pairs(10, 10);
    const [cell] = comparePairs([...runs, [aRun(10), aRun(10, { facts: longer })]], 'p50', 0.1);
    expect(cell).toMatchObject({ verdict: 'equivalent', reasons: [expect.stringContaining('1 of 9 pairs')] });
  });
});
