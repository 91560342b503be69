import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { CellReport } from '../../../lib/records/load/load.ts';
import type { Report } from '../../../lib/records/report.ts';
import { compareRuns, OUTCOMES, runsGivenTwice } from '../../../reports/compare/comparison.ts';
import { comparisonSections } from '../../../reports/compare/document.ts';
import { comparePairs, type LoadRun, pairLines, type RunPair } from '../../../reports/compare/load.ts';
import { renderComparison } from '../../../reports/html/compare/page.tsx';
import { documentLines } from '../../../reports/render/markdown-blocks.ts';
import { aCapacityReport, SEARCHES } from '../../helpers/a-capacity-report.ts';
import { aCell, aLatency, someFacts } from '../../helpers/a-cell-report.ts';
import { aLoadRun, withoutSamples } from '../../helpers/a-load-run.ts';
import { aMixedReport, judgedRun } from '../../helpers/a-report.ts';
import { aResult } from '../../helpers/a-run.ts';

const conformanceRun = (results: readonly ConformanceResult[]): LoadRun => withoutSamples(judgedRun({ results }));
const passed = aResult({ checkId: 'list/next' });
const failed = aResult({ checkId: 'list/next', verdict: 'fail' });
const elsewhere = aResult({ checkId: 'list/next', family: 'beta' });

describe('the answer of a comparison', () => {
  const [good, bad, both] = [[passed], [failed], [passed, elsewhere]].map(conformanceRun) as [
    LoadRun,
    LoadRun,
    LoadRun,
  ];
  const load = aLoadRun(1);
  const sides = 'conformance: only in the first run; load: only in the second run';
  const deeper = aLoadRun(2, 1, { depth: 'normal' });
  const unseen = '1 result fails that the first run did not test';
  const another = 'load 60k apply-by-mac: not the same load: depth: quick against normal';
  it.each<[string, number, string, LoadRun, LoadRun]>([
    ['worse', 1, '1 result newly fails', good, bad],
    ['better', 0, '1 result fixed', bad, good],
    ['not comparable', 6, '1 result only in the first run', good, conformanceRun([elsewhere])],
    ['not comparable', 6, sides, good, load],
    ['not comparable', 6, another, load, deeper],
    ['differs', 0, 'load 60k apply-by-mac differs', load, aLoadRun(2, 1.5)],
    ['partly compared', 4, '1 result only in the first run', both, good],
    ['not worse', 0, '', good, both],
    ['partly compared', 4, unseen, conformanceRun([elsewhere]), conformanceRun([failed, elsewhere])],
  ])('is %s with exit %i: %s', (outcome, exit, why, before, after) => {
    const found = compareRuns([before], [after]);
    expect([found.outcome, OUTCOMES[found.outcome].exit, found.reasons.join('; ')]).toEqual([outcome, exit, why]);
  });

  it('calls a load that failed after it had passed worse, and the other way round better, as a capacity', () => {
    const run = aLoadRun(2);
    const cells = run.report.load?.cells.map((cell) => ({ ...cell, verdict: 'violated' }));
    const slow = { ...run, report: { ...run.report, load: { ...run.report.load, cells } } as Report };
    expect([compareRuns([load], [slow]).outcome, compareRuns([slow], [load]).outcome]).toEqual(['worse', 'better']);
    const [compared] = compareRuns([load], [run]).load?.cells ?? [];
    expect(compared?.lines.map(({ name }) => name)).toEqual(['achieved', 'dropped', 'failed']);
  });
});

it('the page of a comparison shows a hostile text as text, and runs no script', () => {
  const hostile = aResult({ checkId: 'list/next', verdict: 'fail', title: '<script>alert(1)</script>\u202e' });
  const [before, after] = [conformanceRun([passed]), conformanceRun([hostile])];
  const html = renderComparison(compareRuns([before], [after]), [before.report], [after.report]);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\\u202e');
  expect(html).not.toContain('<script');
});

const searchAt = (capacityPerSecond: number, rates: readonly number[]) =>
  withoutSamples(aCapacityReport([{ profile: '60k', capacityPerSecond, rates }]));
const before = searchAt(1000, [250, 500, 1000, 1000, 1050, 1050]);
const lower = searchAt(480, [250, 480, 480, 500, 500]);

describe('two searches for the capacity', () => {
  it('are held against each other line by line, and a limit below the other one is worse', () => {
    const comparison = compareRuns([before], [lower]);
    expect([comparison.outcome, comparison.reasons]).toEqual(['worse', ['the capacity of 60k apply-by-mac is lower']]);
    const lines = documentLines(comparisonSections(comparison)).join('\n').replaceAll('\u202f', '');
    expect(lines).toContain('60k apply-by-mac: worse');
    expect(lines).toMatch(/holds +1000\/s +480.0\/s/);
    expect(lines).toMatch(/limit .* to 1050\/s .* to 500\.0\/s/);
    expect(compareRuns([lower], [before]).capacity?.[0]?.verdict).toBe('better');
    const alike = compareRuns([before], [searchAt(1010, [250, 500, 1000, 1000, 1060, 1060])]);
    expect(alike.capacity?.[0]?.verdict).toBe('no difference shown');
    expect(renderComparison(comparison, [before.report], [lower.report])).toContain('60k apply-by-mac: worse');
  });

  it('are not comparable where a setting differs, or one of them answers nothing', () => {
    const { report } = before;
    const answers = report.capacity?.answers.map((answer) => ({ ...answer, connections: 50 })) ?? [];
    const changed = { ...report, capacity: { ...report.capacity, answers } } as Report;
    const comparison = compareRuns([before], [withoutSamples(changed)]);
    expect([comparison.outcome, comparison.reasons[0]]).toEqual([
      'not comparable',
      'capacity 60k apply-by-mac: connections: 100 → 50',
    ]);
    const open = searchAt(1000, [250]);
    expect(compareRuns([before], [open]).capacity?.[0]?.reasons.join()).toContain('after answers nothing');
  });
});

it('a run that is given twice is named, on whatever side', () => {
  const report = aCapacityReport(SEARCHES.slice(0, 1));
  const other = { ...report, run: { ...report.run, runId: 'another' } };
  const [run, another] = [withoutSamples(report), withoutSamples(other)];
  expect(runsGivenTwice([run, another])).toEqual([]);
  expect(runsGivenTwice([run, another, run])).toEqual([report.run.runId]);
});

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
