import { describe, expect, it } from 'vitest';
import { judge } from '../../../lib/judge/judge.ts';
import { statementText } from '../../../lib/records/answer.ts';
import type { BaselineEntry } from '../../../lib/records/baseline.ts';
import type { RunOptions } from '../../../lib/records/run-options.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderMarkdown } from '../../../reports/render/markdown.ts';
import { renderJunit } from '../../../reports/render/test-results.ts';
import { entry, failing, judged, outcomeOf } from '../../helpers/a-baseline.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { ctrfOf, judgedRun } from '../../helpers/a-report.ts';
import { aHeader, anExchange, aResult, aRun, fullResults, given } from '../../helpers/a-run.ts';

const outcomes = (report: ReturnType<typeof judged>) =>
  report.conformance?.baseline?.entries.map(({ outcome }) => outcome);
type Result = ReturnType<typeof aResult>;
const reasonsOf = ({ exit }: ReturnType<typeof judged>) => exit.reasons.map(({ text }) => text);

describe('a baseline of expected failures', () => {
  it('keeps a failure that it expects from failing the run, and leaves the verdict as it is', () => {
    const report = judged([entry()]);
    expect(outcomes(report)).toEqual(['expected']);
    expect([report.exit.code, reasonsOf(report)]).toEqual([0, ['1 expected failure: 1 result failed']]);
    expect(report.conformance?.verdict).toBe('non-conformant');
    expect(renderHtml(report, [])).toContain('network team');
    // What a run of checks alone does not hold is not named among its records.
    expect(renderHtml(report, [])).not.toContain('records/cells');
  });

  const about = { kind: 'refused', operation: 'create', subject: 'header accept' } as const;
  it.each<[0 | 1, Partial<BaselineEntry>]>([
    [0, { requirement: 'LST-NEXT' }],
    [0, { requirement: 'LST-*' }],
    [0, { family: 'alpha' }],
    [0, { check: 'list/next', variant: 'size 2' }],
    [0, about],
    [1, { requirement: 'LST-PAGE' }],
    [1, { family: 'beta' }],
    [1, { check: 'list/first' }],
    [1, { check: 'record/*' }],
    [1, { check: 'list/next', variant: 'size 1' }],
    [1, { ...about, subject: 'text markup' }],
    [1, { ...about, subject: 'header ersMediaType' }],
    [1, { ...about, operation: 'update' }],
    [1, { ...about, kind: 'value' }],
  ])('lets a failure end the run with %i if it speaks of %j', (code, by) => {
    const report = judged([{ expires: '2026-12-31', ...by }], [{ ...failing, variant: 'size 2', failure: about }]);
    expect(report.exit.code).toBe(code);
    expect(report.conformance?.baseline?.unexpected).toEqual(code === 0 ? [] : ['list/next|alpha|size 2']);
  });

  it('expects a refusal only with the status that it was seen with', () => {
    const observed = 'GET /ers/config/alpha answered 500 "Index broken"';
    const refused = { ...failing, failure: { ...about, operation: 'list', subject: 'list' }, observed } as const;
    expect(judged([entry({ answers: [400, 500] })], [refused]).exit.code).toBe(0);
    const changed = judged([entry({ answers: 400 })], [refused]);
    expect([changed.exit.code, outcomes(changed)]).toEqual([1, ['changed']]);
    const said = 'list/next alpha: expected 400, is 500';
    expect(reasonsOf(changed)).toContain(`1 baseline entry fails in another way: ${said}`);
    expect(renderHtml(changed, [])).toContain(said);
    expect(renderMarkdown(changed)).toContain(`changed: ${said}`);
    // Of the same check something else passes: the entry is not stale.
    const passes = { ...failing, verdict: 'pass', variant: 'size 2' } as const;
    expect(outcomes(judged([entry({ answers: 400 })], [refused, passes]))).toEqual(['changed']);
    const shown = entry({ subject: 'list', kind: 'records' });
    expect(reasonsOf(judged([shown], [refused])).join()).toContain('expected records, is 500');
  });

  it('no longer expects a failure after its last day', () => {
    const report = judged([entry({ expires: '2026-01-30' })]);
    expect([outcomes(report), report.exit.code]).toEqual([['expired'], 1]);
    expect(outcomes(judged([entry({ expires: '2026-01-31' })]))).toEqual(['expected']);
  });

  const passes = { ...failing, verdict: 'pass', variant: 'size 1' } as const;
  const blocked = { ...failing, verdict: 'blocked' as const, evidence: ['x1'] };
  it.each<[string, Partial<BaselineEntry>, Parameters<typeof judged>[1]]>([
    ['stale', {}, [passes]],
    // Kept from a verdict: it may have named that.
    ['unused', {}, [passes, blocked]],
    ['unused', { operation: 'read' }, [passes, blocked]],
    ['stale', { operation: 'update' }, [passes, blocked]],
    ['unused', {}, [{ ...failing, verdict: 'inconclusive' }]],
    ['unused', { check: 'gone/check' }, []],
  ])('calls an entry %s: %#', (outcome, by, results) => {
    expect(outcomes(judged([entry(by)], results))).toEqual([outcome]);
  });

  it('covers warnings of a strict run', () => {
    const warning = aResult({ checkId: 'list/next', requirement: 'ATOM-1', level: 'implied', verdict: 'warn' });
    for (const failed of [1, 0]) {
      const report = judged(failed === 1 ? [] : [entry()], [warning], true);
      expect([report.exit.code, ctrfOf(report).summary['failed']]).toEqual([failed, failed]);
      expect(renderJunit(report)).toMatch(new RegExp(`<testsuites [^>]*failures="${failed}"`));
    }
  });

  it('says where a reason is missing or a placeholder, and is expected all the same', () => {
    const { reason: _reason, ...bare } = entry();
    for (const given of [bare, entry({ reason: 'TODO: why this is expected' })]) {
      const report = judged([given]);
      expect(report.exit.code).toBe(0);
      expect(reasonsOf(report)).toContain('1 baseline entry without a reason');
      expect(renderJunit(report)).toContain('expected: reason missing');
    }
  });
});

describe('what follows from an expected failure', () => {
  const after = { checkId: 'list/after', requirement: 'LST-SIZE', blockedBy: 'list/next|alpha' };
  const waits = aResult({ ...after, verdict: 'blocked' });
  const refusal = anExchange({ id: 'x9', operation: 'list', path: '/ers/config/alpha', status: 500, responseBody: '' });
  const request = { kind: 'refused', operation: 'list', subject: 'request' } as const;
  const open = aResult({ checkId: 'list/other', requirement: 'LST-SORT', verdict: 'inconclusive', evidence: ['x9'] });
  const isFilter = ({ covers }: ReturnType<typeof aResult>) => covers?.some(({ kind }) => kind === 'filter') === true;
  const uncovered = fullResults().filter((result) => !isFilter(result));
  const unreachable = fullResults()
    .filter(isFilter)
    .map((result) => ({ ...result, verdict: 'blocked' as const, blockedBy: 'list/next|alpha' }));
  const run = (entries: readonly BaselineEntry[]) =>
    judgedRun({
      results: [...uncovered, ...unreachable, { ...failing, failure: request, evidence: ['x9'] }, waits, open],
      exchanges: [refusal],
      baseline: { file: 'expected.yaml', entries: [...entries] },
    });

  it('counts against neither coverage, exit code nor JUnit', () => {
    const report = run([entry()]);
    expect([report.exit.code, report.exit.reasons.filter(({ code }) => code > 0)]).toEqual([0, []]);
    expect(renderJunit(report)).toMatch(/failures="0" errors="0"/);
    expect(outcomeOf(report, 'list/other')).toBe('consequence');
    const without = run([]);
    expect(without.exit.reasons.map(({ code }) => code)).toEqual(expect.arrayContaining([1, 4]));
    expect(renderJunit(without)).toMatch(/<testsuites [^>]*failures="1"/);
  });

  it('excuses nothing that rests on another request, on a new failure, or on nothing that failed in another family', () => {
    const elsewhere = judged([entry()], [failing, { ...open, evidence: [] }]);
    expect([outcomeOf(elsewhere, 'list/other'), elsewhere.exit.code]).toEqual([undefined, 4]);
    const other = { ...waits, checkId: 'list/third', blockedBy: 'list/first|alpha' };
    const far = { ...open, family: 'beta' };
    const report = judged([entry()], [failing, { ...failing, checkId: 'list/first' }, other, far]);
    expect([outcomeOf(report, 'list/third'), outcomeOf(report, 'list/other', 'beta')]).toEqual([undefined, undefined]);
    const named = judged([entry({ unproven: 'beta' })], [failing, far]);
    expect(outcomeOf(named, 'list/other', 'beta')).toBe('consequence');
  });

  it('is unclear as soon as more is undecided than before', () => {
    const results = [...uncovered, ...fullResults().filter(({ variant }) => variant === 'name.EQ')];
    const codeAt = (undecided: number) =>
      judgedRun({
        results: [...results, { ...open, evidence: [] }],
        baseline: { file: 'expected.yaml', entries: [], least: { shown: 13, of: 31, undecided } },
      }).exit.code;
    expect([codeAt(1), codeAt(0)]).toEqual([0, 4]);
  });

  it('is not held to by a run of less mode or depth, which says what it did not test', () => {
    const least = { shown: 31, of: 31, undecided: 0, mode: 'own-data', depth: 'normal' } as const;
    const night = (mode: 'read-only' | 'own-data', depth: 'quick' | 'normal') =>
      judgedRun({
        header: aHeader({ mode, options: given({ depth }) }),
        results: [...fullResults().slice(1), { ...failing, verdict: 'pass' }],
        baseline: { file: 'expected.yaml', entries: [{ ...entry(), line: 3 }], least },
      });
    const same = night('own-data', 'normal');
    expect([outcomes(same), reasonsOf(same).join()]).toEqual([['stale'], expect.stringContaining('shows less')]);
    for (const [mode, depth, of] of [
      ['read-only', 'normal', 'mode read-only, not own-data'],
      ['read-only', 'quick', 'mode read-only, not own-data and depth quick, not normal'],
      ['own-data', 'quick', 'depth quick, not normal'],
    ] as const) {
      const less = night(mode, depth);
      expect([outcomes(less), reasonsOf(less).filter((text) => text.includes('shows less'))]).toEqual([['unused'], []]);
      expect(reasonsOf(less)).toContain(
        `1 baseline entry was not tested: the run was of ${of}: list/next alpha (expected.yaml, line 3)`,
      );
    }
  });

  it('has one figure for what was really tested, and an unclear run says first what makes it unclear', () => {
    const report = judgedRun({
      header: aHeader({ mode: 'read-only' }),
      results: [...fullResults().slice(4), failing],
      baseline: { file: 'expected.yaml', entries: [entry()], least: { shown: 31, of: 31, undecided: 0, mode: 'full' } },
    });
    const said = statementText(report.answer.sentence);
    expect(said).toMatch(
      /^Unclear: only (\d+) of 31 operations, filters and sorts really tested \(\d+ not testable\); 95% of \d+ is needed, for the run was of mode read-only, not full; not: .*; 1 expected failure$/,
    );
    const parts = / operations (\d+)\/\d+ .*, filters (\d+)\/\d+, sorts (\d+)\//.exec(renderMarkdown(report)) ?? [];
    const sum = parts.slice(1).reduce((all, part) => all + Number(part), 0);
    expect(said).toContain(`only ${sum} of 31 `);
  });

  it('never includes what is left on the target', () => {
    const keeps = { ...failing, checkId: 'record/delete', requirement: 'OP-alpha-D' };
    const residue = ['1', '2', '3'].map((id) => ({ family: 'alpha', id, command: 'DELETE' }));
    const night = (options: RunOptions) => {
      const base = aRun({
        header: aHeader({ options: given(options) }),
        results: [...fullResults(), keeps],
        baseline: { file: 'expected.yaml', entries: [entry({ check: 'record/delete' })] },
      });
      const end = base.end === null ? null : { ...base.end, cleanup: { ...base.end.cleanup, residue } };
      const { exit, answer } = judge({ ...base, end }, cellOf);
      return [exit.code, statementText(answer.sentence), exit.reasons[0]?.text];
    };
    const [left, fails] = ['3 records left on the target', '1 expected failure'];
    const behind = `Left behind: ${left}; ${fails}`;
    expect(night({})).toEqual([5, behind, expect.stringContaining('a baseline does not accept that')]);
    expect(night({ allowResidue: 2 })).toEqual([5, behind, expect.stringContaining('more than the 2')]);
    expect(night({ allowResidue: 3 })).toEqual([
      0,
      `Nothing new: ${fails}; ${left}`,
      expect.stringContaining('accepted by'),
    ]);
  });
});

const [first, late] = ['list/first', 'list/late'].map((checkId) => ({ ...failing, checkId })) as [Result, Result];
const report = judged(
  [entry(), entry({ check: 'list/mended' }), entry({ check: late.checkId, expires: '2026-01-30' })],
  [failing, first, aResult({ checkId: 'list/mended', requirement: 'LST-NEXT' }), late],
);
const by = 'known to the vendor (network team, https://tickets.example/1';

it('reports of a run with a baseline let only new failures and overdue ones be failures of JUnit', () => {
  const xml = renderJunit(report);
  expect(xml).toContain(`<skipped message="expected: ${by}, until 2026-12-31)"/>`);
  const failures = xml.split('<testcase').filter((test) => test.includes('<failure'));
  expect(failures.map((test) => / name="([^"]*)"/.exec(test)?.[1])).toEqual(['list/first', 'list/late']);
  expect(failures[1]).toContain(`expired: ${by}, expired 2026-01-30)`);
  expect(xml).toContain('stale: list/mended alpha');
});
