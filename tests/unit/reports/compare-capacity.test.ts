import { describe, expect, it } from 'vitest';
import type { Report } from '../../../lib/records/report.ts';
import { compareRuns, runsGivenTwice } from '../../../reports/compare/comparison.ts';
import { comparisonSections } from '../../../reports/compare/document.ts';
import { renderComparison } from '../../../reports/html/compare/page.tsx';
import { documentLines } from '../../../reports/render/document-lines.ts';
import { aCapacityReport, SEARCHES } from '../../helpers/a-capacity-report.ts';
import { withoutSamples } from '../../helpers/a-load-run.ts';

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
