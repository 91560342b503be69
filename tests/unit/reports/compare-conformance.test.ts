import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { Report } from '../../../lib/records/report.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { compareRuns } from '../../../reports/compare/comparison.ts';
import {
  type ConformanceComparison,
  compareConformance,
  differentCircumstances,
} from '../../../reports/compare/conformance.ts';
import { conformanceSection } from '../../../reports/compare/document.ts';
import { documentLines } from '../../../reports/render/markdown-blocks.ts';
import { withoutSamples } from '../../helpers/a-load-run.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { aHeader, aResult } from '../../helpers/a-run.ts';

const reportOf = (results: readonly ConformanceResult[], overrides = {}) => judgedRun({ results, ...overrides });

const said = (found: ConformanceComparison | null) =>
  documentLines(found === null ? [] : [conformanceSection(found)])
    .map((line) => line.replace(/ {2,}/g, ' '))
    .join('\n');

const one = (verdict: Verdict) => [aResult({ checkId: 'list/next', verdict })];

/** Names of the kinds of change that a result going from one verdict to another falls under. */
function kinds(before: Verdict | null, after: Verdict | null): string[] {
  const [first, second] = [before, after].map((verdict) => reportOf(verdict === null ? [] : one(verdict)));
  const found = compareConformance(first as Report, second as Report);
  return Object.entries(found ?? {})
    .filter(([, changes]) => Array.isArray(changes) && changes.length > 0)
    .map(([name]) => name);
}

describe('the comparison of two runs', () => {
  it.each<[Verdict | null, Verdict | null, string[]]>([
    ['pass', 'pass', []],
    ['pass', 'fail', ['newlyFailing']],
    ['inconclusive', 'fail', ['failingUntested']],
    ['warn', 'fail', ['newlyFailing']],
    ['fail', 'fail', ['stillFailing']],
    ['fail', 'pass', ['fixed']],
    ['fail', 'blocked', ['newlyNotProven']],
    ['fail', 'warn', []],
    ['pass', 'inconclusive', ['newlyNotProven']],
    ['pass', 'error', ['newlyNotProven']],
    ['pass', 'not-applicable', ['newlyNotProven']],
    ['blocked', 'inconclusive', []],
    ['blocked', 'pass', []],
    ['info', 'info', []],
    [null, 'pass', ['added']],
    [null, 'fail', ['failingUntested', 'added']],
    ['fail', null, ['removed']],
    ['pass', null, ['removed']],
  ])('puts %s to %s under %j, and never calls a result fixed that is gone', (before, after, expected) => {
    expect(kinds(before, after)).toEqual(expected);
  });

  it.each([
    ['500 "ORA-00932"', 'name.EQ', 'worse', '400 → 500', 0],
    ['400 "in other words"', 'name.EQ', 'not worse', '', 1],
    ['400 "no"', 'name.IN', 'worse', 'list refused: filter name.EQ → LST-FILT list refused: filter name.IN', 0],
  ] as const)('calls a failure that is answered %s about filter %s %s', (observed, subject, outcome, how, still) => {
    const run = (seen: string, about: 'name.EQ' | 'name.IN') => {
      const failure = { kind: 'refused', operation: 'list', subject: `filter ${about}` } as const;
      const result = { checkId: 'filter/operator', requirement: 'LST-FILT', verdict: 'fail', failure } as const;
      return reportOf([aResult({ ...result, observed: `GET /ers/config/alpha answered ${seen}` })]);
    };
    const before = withoutSamples(run('400 "no"', 'name.EQ'));
    const found = compareRuns([before], [withoutSamples(run(observed, subject))]);
    expect(found.outcome).toBe(outcome);
    expect(found.reasons.join()).toContain(how);
    expect(found.conformance?.stillFailing).toHaveLength(still);
    if (still === 0) expect(said(found.conformance)).toContain(how.replace('→ ', ''));
  });

  it('tells where the target answers otherwise than before, and says all of it in lines', () => {
    const dialect = (answer: unknown) => ({
      dialect: { 'page.first': { question: 'number of the first page', answer, evidence: [] } },
    });
    const found = compareConformance(reportOf(one('pass'), dialect(1)), reportOf(one('fail'), dialect(0)));
    expect(found?.drift).toEqual([{ question: 'page.first: number of the first page', before: 1, after: 0 }]);
    expect(said(found)).toContain('1 result in both runs: 1 newly failing.');
    expect(said(found)).toContain('list/next alpha passed failed');
    expect(said(found)).toContain('1 → 0');
  });

  it.each([
    [
      'read-only',
      'own-data',
      'partly compared',
      '1 result fails that the first run did not test, or tested less',
      'better',
    ],
    ['own-data', 'read-only', 'worse', '1 result newly fails', 'partly compared'],
  ] as const)('takes no pass of the lesser mode for more than it is: %s to %s', (was, is, outcome, reason, mended) => {
    const run = (mode: typeof was, verdict: Verdict) =>
      withoutSamples(reportOf(one(verdict), { header: aHeader({ mode }) }));
    const found = compareRuns([run(was, 'pass')], [run(is, 'fail')]);
    expect([found.outcome, found.reasons]).toEqual([outcome, [reason]]);
    expect(compareRuns([run(was, 'fail')], [run(is, 'pass')]).outcome).toBe(mended);
  });

  it('says in what the runs are not alike', () => {
    const other = reportOf(one('pass'), { header: aHeader({ seed: 99, mode: 'read-only' }), end: null });
    expect(differentCircumstances(reportOf(one('pass')), reportOf(one('pass')))).toEqual([]);
    expect(differentCircumstances(reportOf(one('pass')), other).join('\n')).toMatch(
      /mode: .*\nseed: .*\nrun .* is incomplete/,
    );
  });
});
