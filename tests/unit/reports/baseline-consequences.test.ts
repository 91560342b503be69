import { describe, expect, it } from 'vitest';
import { judge } from '../../../lib/judge/judge.ts';
import { statementText } from '../../../lib/records/answer.ts';
import type { BaselineEntry } from '../../../lib/records/baseline.ts';
import type { RunOptions } from '../../../lib/records/run-options.ts';
import { renderJunit } from '../../../reports/render/junit.ts';
import { entry, failing, judged, outcomeOf } from '../../helpers/a-baseline.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { aHeader, anExchange, aResult, aRun, fullResults, given } from '../../helpers/a-run.ts';

describe('what follows from an expected failure', () => {
  const blocked = aResult({
    checkId: 'list/after',
    requirement: 'LST-SIZE',
    verdict: 'blocked',
    reason: 'list/next|alpha has to hold first',
    blockedBy: 'list/next|alpha',
  });
  const refusal = anExchange({ id: 'x9', operation: 'list', path: '/ers/config/alpha', status: 500, responseBody: '' });
  const broken = {
    ...failing,
    failure: { kind: 'refused', operation: 'list', subject: 'request' } as const,
    evidence: ['x9'],
  };
  const open = aResult({
    ...{ checkId: 'list/other', requirement: 'LST-SORT', verdict: 'inconclusive', reason: 'no list', evidence: ['x9'] },
  });
  const uncovered = fullResults().filter(({ covers }) => !covers?.some(({ kind }) => kind === 'filter'));
  const unreachable = fullResults()
    .filter(({ covers }) => covers?.some(({ kind }) => kind === 'filter'))
    .map((result) => ({ ...result, verdict: 'blocked' as const, blockedBy: 'list/next|alpha' }));
  const run = (entries: readonly BaselineEntry[]) =>
    judgedRun({
      results: [...uncovered, ...unreachable, broken, blocked, open],
      exchanges: [refusal],
      baseline: { file: 'expected.yaml', entries: [...entries] },
    });

  it('counts against neither coverage, exit code nor JUnit', () => {
    const report = run([entry()]);
    expect(report.exit.reasons.filter(({ code }) => code > 0)).toEqual([]);
    expect(report.exit.code).toBe(0);
    expect(renderJunit(report)).toMatch(/failures="0" errors="0"/);
    expect(outcomeOf(report, 'list/other')).toBe('consequence');
    const without = run([]);
    expect(without.exit.reasons.map(({ code }) => code)).toEqual(expect.arrayContaining([1, 4]));
    expect(renderJunit(without)).toMatch(/<testsuites [^>]*failures="1"/);
  });

  it('excuses nothing of the same family that rests on another request', () => {
    const report = judged([entry()], [failing, { ...open, evidence: [] }]);
    expect(outcomeOf(report, 'list/other')).toBeUndefined();
    expect(report.exit.code).toBe(4);
  });

  it('is as good as before while it shows as much, and unclear as soon as it shows less', () => {
    const night = (shown: number, undecided: number) =>
      judgedRun({
        results: [
          ...uncovered,
          ...fullResults().filter(({ variant }) => variant === 'name.EQ'),
          { ...open, evidence: [] },
        ],
        baseline: { file: 'expected.yaml', entries: [], least: { shown, of: 31, undecided } },
      });
    const { exit } = night(13, 1);
    expect(exit.reasons.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^13 of 31 \S+, filters and sorts shown; not: /),
    ]);
    expect(exit.code).toBe(0);
    expect(night(14, 1).exit).toMatchObject({
      code: 4,
      reasons: [{ text: expect.stringMatching(/^shows less: 13 of 31/) }],
    });
    expect(night(13, 0).exit.code).toBe(4);
  });

  it('does not excuse what is blocked by a new failure, or by nothing that failed in another family', () => {
    const other = { ...blocked, checkId: 'list/third', blockedBy: 'list/first|alpha' };
    const fresh = { ...failing, checkId: 'list/first' };
    const far = { ...open, family: 'beta' };
    const report = judged([entry()], [failing, fresh, other, far]);
    expect([outcomeOf(report, 'list/third'), outcomeOf(report, 'list/other', 'beta')]).toEqual([undefined, undefined]);
    const named = judged([entry({ unproven: 'beta' })], [failing, far]);
    expect(outcomeOf(named, 'list/other', 'beta')).toBe('consequence');
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
      const { exit, ...report } = judge({ ...base, end }, cellOf);
      return { code: exit.code, text: exit.reasons[0]?.text, headline: statementText(report.answer.sentence) };
    };
    const left = '3 records left on the target';
    expect(night({})).toEqual({
      code: 5,
      text: `left on the target: 3 records (a baseline does not accept that; --allow-residue N does): alpha 1, alpha 2, alpha 3`,
      headline: `Left behind: 1 expected failure; ${left}`,
    });
    expect(night({ allowResidue: 2 })).toMatchObject({ code: 5, text: expect.stringContaining('more than the 2') });
    expect(night({ allowResidue: 3 })).toEqual({
      code: 0,
      text: 'left on the target: 3 records, accepted by --allow-residue 3: alpha 1, alpha 2, alpha 3',
      headline: `Nothing new: 1 expected failure; ${left}`,
    });
  });

  it('says where a reason is missing or a placeholder, and is expected all the same', () => {
    const { reason: _reason, ...bare } = entry();
    for (const given of [bare, entry({ reason: 'TODO: why this is expected' })]) {
      const report = judged([given]);
      expect(report.exit.code).toBe(0);
      expect(report.exit.reasons.map(({ text }) => text)).toContain('1 baseline entry without a reason');
      expect(renderJunit(report)).toContain('expected: reason missing');
    }
  });

  it('expects by what a failure is about, and nothing of another subject', () => {
    const about = { kind: 'refused', operation: 'create', subject: 'header accept' } as const;
    const header = { ...failing, requirement: 'CNV-HDR', failure: about };
    const by = { requirement: 'CNV-HDR', operation: 'create', kind: 'refused', subject: 'header accept' };
    expect(judged([{ expires: '2026-12-31', ...by }], [header]).exit.code).toBe(0);
    expect(judged([{ expires: '2026-12-31', requirement: 'CNV-*' }], [header]).exit.code).toBe(0);
    for (const other of [
      { subject: 'text markup' },
      { subject: 'header ersMediaType' },
      { operation: 'update' },
      { kind: 'value' as const },
    ]) {
      const result = { ...header, failure: { ...about, ...other } };
      expect(judged([{ expires: '2026-12-31', ...by }], [result]).exit.code).toBe(1);
    }
  });

  it('expects by requirement, by family and by pattern', () => {
    for (const by of [{ requirement: 'LST-NEXT' }, { family: 'alpha' }, { requirement: '*' }])
      expect(judged([{ expires: '2026-12-31', ...by }]).exit.code).toBe(0);
    for (const by of [{ requirement: 'LST-PAGE' }, { family: 'beta' }, { check: 'record/*' }])
      expect(judged([{ expires: '2026-12-31', ...by }]).exit.code).toBe(1);
  });
});
