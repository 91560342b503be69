import { describe, expect, it } from 'vitest';
import { pairShare } from '../../../reports/model/pairs.ts';
import { aMixedReport } from '../../helpers/a-report.ts';
import { aResult, aRun } from '../../helpers/a-run.ts';

const pairs = { factors: 3, levels: 9, possible: 2000, exercised: 1999, missing: { 'no second record': 1 } };
const reportOf = (...families: readonly string[]) =>
  aMixedReport(aRun({ results: families.map((family) => aResult({ family, pairs })) }));

describe('pairs of conditions in the reports', () => {
  it('stand once in report.json, by family, and not in the results', () => {
    const { conformance } = reportOf('alpha');
    expect(conformance?.pairs).toEqual([{ family: 'alpha', ...pairs }]);
    expect(JSON.stringify(conformance?.results)).not.toContain('second record');
  });

  it('are all of them only if none is left out', () => {
    expect(pairShare({ possible: 100_000, exercised: 99_999 })).toBe('99.9 %');
    expect(pairShare({ possible: 3, exercised: 3 })).toBe('100 %');
    expect(pairShare({ possible: 0, exercised: 0 })).toBe('');
  });
});
