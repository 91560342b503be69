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

function answer(before: LoadRun, after: LoadRun) {
  const { outcome, reasons } = compareRuns([before], [after]);
  return [outcome, OUTCOMES[outcome].exit, reasons.join('; ')] as const;
}

describe('the answer of a comparison', () => {
  it('is worse with exit 1 if a result newly fails, and better with exit 0 if it is fixed', () => {
    const [good, bad] = [conformanceRun([passed]), conformanceRun([failed])];
    expect(answer(good, bad)).toEqual(['worse', 1, '1 result newly fails']);
    expect(answer(bad, good)).toEqual(['better', 0, '1 result fixed']);
  });

  it('has its own exit code and its reasons where two runs have nothing in common', () => {
    const [one, other, load] = [conformanceRun([passed]), conformanceRun([elsewhere]), aLoadRun(1)];
    expect(answer(one, other)).toEqual(['not comparable', 6, '1 result only in the first run']);
    expect(answer(one, load)).toEqual([
      'not comparable',
      6,
      'conformance: only in the first run; load: only in the second run',
    ]);
  });

  it('has that exit code also where all cells were loaded differently, and says in what', () => {
    const longer = aLoadRun(2, 1, { depth: 'normal' });
    expect(answer(aLoadRun(1), longer)).toEqual([
      'not comparable',
      6,
      'load 60k apply-by-mac: not the same load: depth: quick against normal',
    ]);
  });

  it('says of two loads that differ that they do, and calls it neither worse nor nothing', () => {
    expect(answer(aLoadRun(1), aLoadRun(2, 1.5))).toEqual(['differs', 0, 'load 60k apply-by-mac differs']);
  });

  it('calls a load that failed after it had passed worse, and the other way round better, as a capacity', () => {
    const [good, bad] = [aLoadRun(1), aLoadRun(2)];
    const [cell] = bad.report.load?.cells ?? [];
    const failed = { ...bad.report, load: { ...bad.report.load, cells: [{ ...cell, verdict: 'violated' }] } } as Report;
    expect(answer(good, { ...bad, report: failed })[0]).toBe('worse');
    expect(answer({ ...bad, report: failed }, good)[0]).toBe('better');
    const [compared] = compareRuns([good], [bad]).load?.cells ?? [];
    expect(compared?.lines.map(({ name }) => name)).toEqual(['achieved', 'dropped', 'failed']);
  });

  it('is partial with exit 4 where some of what was there before has nothing to stand against', () => {
    expect(answer(conformanceRun([passed, elsewhere]), conformanceRun([passed]))).toEqual([
      'partly compared',
      4,
      '1 result only in the first run',
    ]);
    expect(answer(conformanceRun([passed]), conformanceRun([passed, elsewhere]))[1]).toBe(0);
    expect(answer(conformanceRun([elsewhere]), conformanceRun([failed, elsewhere]))).toEqual([
      'partly compared',
      4,
      '1 result fails that the first run did not test',
    ]);
  });
});

describe('the page of a comparison', () => {
  it('draws both runs of a cell into each of its charts', () => {
    const [before, after] = [aLoadRun(1), aLoadRun(2, 1.5)];
    const html = renderComparison(compareRuns([before], [after]), [before.report], [after.report]);
    const charts = html.match(/<svg class="chart".*?<\/svg>/gs) ?? [];
    expect(charts).toHaveLength(4);
    for (const chart of charts) {
      expect(chart).toContain('— before');
      expect(chart).toContain('- - after');
      expect(chart.match(/<path class="line [ab]" d="M[^"]{20,}"/g)).toHaveLength(2);
    }
    expect(html).toContain('differs between these two runs');
  });

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
    expect(lines).toMatch(/limit between .* to 1050\/s .* to 500\.0\/s/);
    expect(compareRuns([lower], [before]).capacity?.[0]?.verdict).toBe('better');
    expect(compareRuns([before], [searchAt(1010, [250, 500, 1000, 1000, 1060, 1060])]).capacity?.[0]?.verdict).toBe(
      'no difference shown',
    );
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

  it('are on the page of the comparison', () => {
    const page = renderComparison(compareRuns([before], [lower]), [before.report], [lower.report]);
    expect(page).toContain('60k apply-by-mac: worse');
  });
});

describe('a run that is given twice', () => {
  it('is named, on whatever side', () => {
    const report = aCapacityReport(SEARCHES.slice(0, 1));
    const other = { ...report, run: { ...report.run, runId: 'another' } };
    const [run, another] = [withoutSamples(report), withoutSamples(other)];
    expect(runsGivenTwice([run, another])).toEqual([]);
    expect(runsGivenTwice([run, another, run])).toEqual([report.run.runId]);
  });
});
