import { describe, expect, it } from 'vitest';
import type { AncOperationName } from '../../../lib/contract/anc.ts';
import { judge } from '../../../lib/judge/judge.ts';
import type { RunRecords } from '../../../lib/records/folder/reader.ts';
import type { Report } from '../../../lib/records/report.ts';
import { aCell, aCellRecord } from '../../helpers/a-cell-report.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { aHeader, aRun, given } from '../../helpers/a-run.ts';

type LoadVerdict = NonNullable<Report['load']>['verdict'];

describe('the verdict of a load run', () => {
  const asking = (...operations: AncOperationName[]) =>
    aHeader({ command: 'load', options: given({ profiles: ['60k'], operations }) });
  const header = asking('apply-by-mac');
  const both = asking('apply-by-mac', 'clear-by-mac');
  const UNSEEN = { cells: [{ ...aCellRecord(), samples: null }] };
  const load = (verdict: 'met' | 'violated' | 'invalid', records: Partial<RunRecords> = {}) =>
    judge(aRun({ header, results: [], cells: [aCellRecord()], ...records }), (facts) =>
      aCell({ facts, verdict, reasons: ['why'] }),
    );

  it.each<[LoadVerdict, number, string, 'met' | 'violated' | 'invalid', Partial<RunRecords>]>([
    ['met', 0, 'its cell is met', 'met', {}],
    ['violated', 1, 'its cell is violated', 'violated', {}],
    ['invalid', 4, 'its cell is invalid', 'invalid', {}],
    ['invalid', 4, 'samples are missing, whatever the judge of the cell says', 'met', UNSEEN],
    ['invalid', 4, 'a cell that was asked for left no record', 'met', { header: both }],
    ['not-tested', 3, 'no cell was run', 'met', { cells: [] }],
  ])('is %s with exit %i if %s', (verdict, code, _why, cell, records) => {
    const report = load(cell, records);
    expect([report.load?.verdict, report.exit.code]).toEqual([verdict, code]);
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
