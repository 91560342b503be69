import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { Report } from '../../../lib/records/report.ts';
import { compareRuns, OUTCOMES, runsGivenTwice } from '../../../reports/compare/comparison.ts';
import { comparisonSections } from '../../../reports/compare/document.ts';
import type { LoadRun } from '../../../reports/compare/load.ts';
import { renderComparison } from '../../../reports/html/compare/page.tsx';
import { documentLines } from '../../../reports/render/document-lines.ts';
import { aCapacityReport, SEARCHES } from '../../helpers/a-capacity-report.ts';
import { aLoadRun, withoutSamples } from '../../helpers/a-load-run.ts';
import { judgedRun } from '../../helpers/a-report.ts';
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

describe('the page of a comparison', () => {
  it('shows a hostile text as text, and runs no script', () => {
    const hostile = aResult({ checkId: 'list/next', verdict: 'fail', title: '<script>alert(1)</script>\u202e' });
    const [before, after] = [conformanceRun([passed]), conformanceRun([hostile])];
    const html = renderComparison(compareRuns([before], [after]), [before.report], [after.report]);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;\\u202e');
    expect(html).not.toContain('<script');
  });
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
