import { describe, expect, it } from 'vitest';
import type { AncOperationName } from '../../../lib/contract/anc.ts';
import { judge } from '../../../lib/judge/judge.ts';
import type { RunRecords } from '../../../lib/records/folder/reader.ts';
import { aCell, aCellRecord } from '../../helpers/a-cell-report.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { aHeader, aRun, given } from '../../helpers/a-run.ts';

describe('the verdict of a load run', () => {
  const asking = (...operations: AncOperationName[]) =>
    aHeader({ command: 'load', options: given({ profiles: ['60k'], operations }) });
  const header = asking('apply-by-mac');
  const load = (verdict: 'met' | 'violated' | 'invalid', records: Partial<RunRecords> = {}) =>
    judge(aRun({ header, results: [], cells: [aCellRecord()], ...records }), (facts) =>
      aCell({ facts, verdict, reasons: ['why'] }),
    );

  it.each([
    ['met', 0, 'met'],
    ['violated', 1, 'too-slow'],
    ['invalid', 4, 'invalid'],
  ] as const)('of a cell that is %s exits %i', (verdict, code, word) => {
    const report = load(verdict);
    expect([report.exit.code, report.answer.ending, report.load?.verdict]).toEqual([code, word, verdict]);
  });

  it('is never met when samples are missing, whatever the judge of the cell says', () => {
    const report = load('met', { cells: [{ ...aCellRecord(), samples: null }] });
    expect([report.load?.cells[0]?.verdict, report.exit.code]).toEqual(['invalid', 4]);
  });

  it('is open when a cell that was asked for left no record', () => {
    const report = load('met', { header: asking('apply-by-mac', 'clear-by-mac') });
    expect([report.load?.verdict, report.exit.code]).toEqual(['invalid', 4]);
    expect(report.exit.reasons[0]?.text).toContain('clear-by-mac');
  });

  it('is not tested when no cell was run', () => {
    const report = load('met', { cells: [] });
    expect([report.load?.verdict, report.exit.code]).toEqual(['not-tested', 3]);
  });

  it('is decided by the second try, and keeps the first', () => {
    const cells = [aCellRecord({ attempt: 2 }), aCellRecord({ attempt: 1 })];
    const report = judge(aRun({ header, results: [], cells }), (facts) =>
      aCell({ facts, attempt: facts.attempt, verdict: facts.attempt === 1 ? 'invalid' : 'met' }),
    );
    expect([report.load?.verdict, report.load?.cells.length, report.load?.repeated[0]?.attempt]).toEqual(['met', 1, 1]);
  });

  it('asks an embedded verify for every profile and operation of the catalogue', () => {
    const verify = aHeader({ command: 'verify', target: { baseUrl: 'embedded', embedded: true, insecure: false } });
    const report = judgedRun({ header: verify, cells: [aCellRecord()] });
    expect(report.exit.reasons.map(({ text }) => text).join()).toContain('3 requested loads not run');
    expect(report.exit.code).toBe(4);
  });
});
