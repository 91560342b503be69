import { describe, expect, it } from 'vitest';
import { judge } from '../../../lib/judge/judge.ts';
import type { BaselineEntry } from '../../../lib/records/baseline.ts';
import { renderJunit } from '../../../reports/render/junit.ts';
import { entry, failing, judged } from '../../helpers/a-baseline.ts';
import { aCell } from '../../helpers/a-cell-report.ts';
import { aResult, aRun, fullResults } from '../../helpers/a-run.ts';

describe('what follows from an expected failure', () => {
  const blocked = aResult({
    checkId: 'list/after',
    requirement: 'LST-SIZE',
    verdict: 'blocked',
    reason: 'list/next|alpha has to hold first',
    blockedBy: 'list/next|alpha',
  });
  const open = aResult({ checkId: 'list/other', requirement: 'LST-SORT', verdict: 'inconclusive', reason: 'too few' });
  const uncovered = fullResults().filter(({ covers }) => !covers?.some(({ kind }) => kind === 'filter'));
  const unreachable = fullResults()
    .filter(({ covers }) => covers?.some(({ kind }) => kind === 'filter'))
    .map((result) => ({ ...result, verdict: 'blocked' as const, blockedBy: 'list/next|alpha' }));
  const run = (entries: readonly BaselineEntry[], residue: readonly string[] = []) => {
    const base = aRun({
      results: [...uncovered, ...unreachable, failing, blocked, open],
      baseline: { file: 'expected.yaml', entries: [...entries] },
    });
    const left = residue.map((family) => ({ family, id: '1', command: 'DELETE' }));
    const end = base.end === null ? null : { ...base.end, cleanup: { ...base.end.cleanup, residue: left } };
    return judge({ ...base, end }, (facts) => aCell({ facts }));
  };

  it('counts against neither coverage, exit code nor JUnit', () => {
    const report = run([entry()]);
    expect(report.exit.reasons.filter(({ code }) => code > 0)).toEqual([]);
    expect(report.exit.code).toBe(0);
    expect(renderJunit(report)).toMatch(/failures="0" errors="0"/);
    expect(report.conformance?.results.find(({ checkId }) => checkId === 'list/other')?.known?.outcome).toBe(
      'consequence',
    );
    const without = run([]);
    expect(without.exit.reasons.map(({ code }) => code)).toEqual(expect.arrayContaining([1, 4]));
    expect(renderJunit(without)).toMatch(/<testsuites [^>]*failures="1"/);
  });

  it('does not excuse what is blocked by a new failure, or by nothing that failed in another family', () => {
    const other = { ...blocked, checkId: 'list/third', blockedBy: 'list/first|alpha' };
    const fresh = { ...failing, checkId: 'list/first' };
    const far = { ...open, family: 'beta' };
    const report = judged([entry()], [failing, fresh, other, far]);
    const outcome = (id: string, family = 'alpha') =>
      report.conformance?.results.find((result) => result.checkId === id && result.family === family)?.known?.outcome;
    expect([outcome('list/third'), outcome('list/other', 'beta')]).toEqual([undefined, undefined]);
    const named = judged([entry({ unproven: 'beta' })], [failing, far]);
    expect(named.conformance?.results.find(({ checkId }) => checkId === 'list/other')?.known?.outcome).toBe(
      'consequence',
    );
  });

  it('includes residue only where the failure is about removing', () => {
    expect(run([entry()], ['alpha']).exit.code).toBe(5);
    const keeps = { ...failing, checkId: 'record/delete', requirement: 'OP-alpha-D' };
    const base = aRun({
      results: [...fullResults(), keeps],
      baseline: { file: 'expected.yaml', entries: [entry({ check: 'record/delete' })] },
    });
    const residue = [{ family: 'alpha', id: '1', command: 'DELETE' }];
    const end = base.end === null ? null : { ...base.end, cleanup: { ...base.end.cleanup, residue } };
    const report = judge({ ...base, end }, (facts) => aCell({ facts }));
    expect(report.exit.code).toBe(0);
    expect(report.cleanup.residue[0]?.expected).toBe(true);
    expect(report.exit.reasons.map(({ text }) => text).join()).toContain('left on the target by an expected failure');
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

  it('expects by cause, by family and by pattern', () => {
    for (const by of [{ cause: 'LST-NEXT/value' }, { cause: 'LST-NEXT' }, { family: 'alpha' }, { cause: '*' }]) {
      expect(judged([{ expires: '2026-12-31', ...by }]).exit.code).toBe(0);
    }
    for (const by of [
      { cause: 'LST-NEXT/records' },
      { cause: 'LST-PAGE' },
      { family: 'beta' },
      { check: 'record/*' },
    ]) {
      expect(judged([{ expires: '2026-12-31', ...by }]).exit.code).toBe(1);
    }
  });
});
