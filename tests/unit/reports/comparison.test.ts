import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import { compareRuns, OUTCOMES } from '../../../reports/compare/comparison.ts';
import type { LoadRun } from '../../../reports/compare/load.ts';
import { renderComparison } from '../../../reports/html/compare/page.tsx';
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
  it('is worse with exit 1 where a result newly fails, and not worse with exit 0 where it is fixed', () => {
    const [good, bad] = [conformanceRun([passed]), conformanceRun([failed])];
    expect(answer(good, bad)).toEqual(['worse', 1, '1 result newly fails']);
    expect(answer(bad, good)).toEqual(['not worse', 0, '']);
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

  it('is partial with exit 4 where some of what was there before has nothing to stand against', () => {
    expect(answer(conformanceRun([passed, elsewhere]), conformanceRun([passed]))).toEqual([
      'partly compared',
      4,
      '1 result only in the first run',
    ]);
    expect(answer(conformanceRun([passed]), conformanceRun([passed, elsewhere]))[1]).toBe(0);
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
