import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderJunit } from '../../../reports/render/junit.ts';
import { renderMarkdown } from '../../../reports/render/markdown.ts';
import { entry, failing, judged, outcomeOf } from '../../helpers/a-baseline.ts';
import { ctrfOf } from '../../helpers/a-report.ts';
import { aResult } from '../../helpers/a-run.ts';

const outcomes = (report: ReturnType<typeof judged>) =>
  report.conformance?.baseline?.entries.map(({ outcome }) => outcome);

describe('a baseline of expected failures', () => {
  it('keeps a failure that it expects from failing the run, and leaves the verdict as it is', () => {
    const report = judged([entry()]);
    expect(outcomes(report)).toEqual(['expected']);
    expect(report.exit.code).toBe(0);
    expect(report.exit.reasons.map(({ text }) => text)).toEqual(['as expected: 1 cause, 1 result failed']);
    expect(report.conformance?.verdict).toBe('non-conformant');
    expect(renderHtml(report, [])).toContain('network team');
    expect(renderMarkdown(report)).toContain('1 failed (all as expected)');
    // What a run of checks alone does not hold is not named among its records.
    expect(renderHtml(report, [])).not.toContain('records/cells');
  });

  it('lets every failure that no entry speaks of fail the run: another family, another variant, another check', () => {
    const other = aResult({ checkId: 'list/next', requirement: 'LST-NEXT', verdict: 'fail', variant: 'size 2' });
    for (const wrong of [{ family: 'beta' }, { check: 'list/first' }, { variant: 'size 1' }]) {
      const report = judged([entry(wrong)], [other]);
      expect(report.exit.code).toBe(1);
      expect(report.conformance?.baseline?.unexpected).toEqual(['list/next|alpha|size 2']);
    }
    expect(judged([entry({ variant: 'size 2' })], [other]).exit.code).toBe(0);
  });

  it('expects a refusal only with the status that it was seen with', () => {
    const refused = {
      ...failing,
      failure: { kind: 'refused', operation: 'list', subject: 'list' },
      observed: 'GET /ers/config/alpha answered 500 "Index broken"',
    } as const;
    expect(judged([entry({ answers: [400, 500] })], [refused]).exit.code).toBe(0);
    const changed = judged([entry({ answers: 400 })], [refused]);
    expect([changed.exit.code, outcomes(changed)]).toEqual([1, ['changed']]);
    const said = 'list/next alpha: expected 400, is 500';
    expect(changed.exit.reasons.map(({ text }) => text)).toContain(`1 baseline entry fails in another way: ${said}`);
    expect(renderHtml(changed, [])).toContain(said);
    expect(renderMarkdown(changed)).toContain(`changed: ${said}`);
    // Of the same check something else passes: the entry is not stale.
    const passes = { ...failing, verdict: 'pass', variant: 'size 2' } as const;
    expect(outcomes(judged([entry({ answers: 400 })], [refused, passes]))).toEqual(['changed']);
    const shown = entry({ subject: 'list', kind: 'records' });
    expect(JSON.stringify(judged([shown], [refused]).exit.reasons)).toContain('expected records, is 500');
  });

  it('no longer expects a failure after its last day', () => {
    const report = judged([entry({ expires: '2026-01-30' })]);
    expect(outcomes(report)).toEqual(['expired']);
    expect(report.exit.code).toBe(1);
    expect(outcomes(judged([entry({ expires: '2026-01-31' })]))).toEqual(['expected']);
  });

  it('calls an entry unused, not stale, where nothing of it was decided', () => {
    const report = judged([entry()], [{ ...failing, verdict: 'inconclusive', reason: 'too few records' }]);
    expect(outcomes(report)).toEqual(['unused']);
    expect(outcomes(judged([entry({ check: 'gone/check' })], []))).toEqual(['unused']);
  });

  it('does not call an entry stale if a result that it may have named was kept from a verdict, and others of it pass', () => {
    const passes = { ...failing, verdict: 'pass', variant: 'size 1' } as const;
    const blocked = { ...failing, verdict: 'blocked' as const, reason: 'no permission', evidence: ['x1'] };
    expect(outcomes(judged([entry()], [passes]))).toEqual(['stale']);
    expect(outcomes(judged([entry()], [passes, blocked]))).toEqual(['unused']);
    expect(outcomes(judged([entry({ operation: 'read' })], [passes, blocked]))).toEqual(['unused']);
    expect(outcomes(judged([entry({ operation: 'update' })], [passes, blocked]))).toEqual(['stale']);
  });

  it('covers warnings of a strict run', () => {
    const warning = aResult({ checkId: 'list/next', requirement: 'ATOM-1', level: 'implied', verdict: 'warn' });
    expect(judged([], [warning], true).exit.code).toBe(1);
    expect(judged([entry()], [warning], true).exit.code).toBe(0);
  });
});

describe('reports of a run with a baseline', () => {
  const second = { ...failing, checkId: 'list/first' };
  const passing = aResult({ checkId: 'list/mended', requirement: 'LST-NEXT' });
  const late = { ...failing, checkId: 'list/late' };
  const report = judged(
    [
      entry({ reason: 'pages end early' }),
      entry({ check: 'list/mended' }),
      entry({ check: 'list/late', expires: '2026-01-30' }),
      entry({ check: 'list/never' }),
    ],
    [failing, second, passing, late],
  );

  it('mark each result with what the baseline says of it', () => {
    const outcomes = ['list/next', 'list/first', 'list/mended', 'list/late'].map((id) => outcomeOf(report, id));
    expect(outcomes).toEqual(['expected', 'unexpected', 'stale', 'expired']);
    expect(report.conformance?.results.filter(({ known }) => known !== undefined)).toHaveLength(4);
  });

  it('let only new failures and overdue ones be failures of JUnit', () => {
    const xml = renderJunit(report);
    expect(xml).toContain(
      '<skipped message="expected: pages end early (network team, https://tickets.example/1, until 2026-12-31)"/>',
    );
    const failures = xml.split('<testcase').filter((test) => test.includes('<failure'));
    expect(failures.map((test) => / name="([^"]*)"/.exec(test)?.[1])).toEqual(['list/first', 'list/late']);
    expect(failures[1]).toContain(
      'expired: known to the vendor (network team, https://tickets.example/1, expired 2026-01-30)',
    );
    expect(xml).toContain('stale: list/mended alpha');
    expect(xml).toContain('unused: list/never alpha');
  });

  it('say the same in CTRF, with the entry beside it', () => {
    const { summary, tests } = ctrfOf(report);
    expect(summary['failed']).toBe(2);
    expect(tests.find(({ name }) => name === 'list/next')).toMatchObject({
      status: 'skipped',
      rawStatus: 'fail',
      extra: { known: { outcome: 'expected', owner: 'network team' } },
    });
    expect(tests.find(({ name }) => name === 'expected failures')?.status).toBe('passed');
  });
});
