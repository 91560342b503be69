import { describe, expect, it } from 'vitest';
import { renderCellsCsv } from '../../../reports/render/cells-csv.ts';
import { renderReport } from '../../../reports/render-run.ts';
import { aCell } from '../../helpers/a-cell-report.ts';
import { aMixedReport, judgedRun } from '../../helpers/a-report.ts';

describe('files for other programs that read a load', () => {
  it('hold one line of CSV for each cell, with a field for each column', () => {
    const hostile = aCell({ verdict: 'invalid', reasons: ['=cmd, "quoted"'] });
    const [head = '', first = '', second = ''] = renderCellsCsv([aCell(), hostile]).split('\n');
    const fields = first.split(',');
    expect(fields).toHaveLength(head.split(',').length);
    const value = (name: string) => fields[head.split(',').indexOf(name)];
    expect([value('profile'), value('verdict'), value('achieved_per_second')]).toEqual(['60k', 'met', '250']);
    expect([value('service_p99_ms'), value('read_back_proven')]).toEqual(['6.5', '100']);
    expect(second.endsWith(`"'=cmd, ""quoted"""`)).toBe(true);
  });

  it.each([';', '; ', '\t', ',', '\n'])('hold no formula where a spreadsheet parts fields by %j', (sign) => {
    const text = renderCellsCsv([
      aCell({ verdict: 'invalid', reasons: [`the target said x${sign}=HYPERLINK("http://a")`] }),
    ]);
    expect(text).toContain(`x${sign}'=HYPERLINK`);
    expect(text).not.toMatch(/[;,\t\n]\s*[=@]/);
  });

  it('are written for a run with cells, and for no other', () => {
    const names = (report: Parameters<typeof renderReport>[0]) => renderReport(report, []).map(({ name }) => name);
    expect(names(aMixedReport())).toEqual(
      expect.arrayContaining(['records/cells.csv', 'records/load-performance.json']),
    );
    const none = judgedRun();
    expect(names(none).filter((name) => name === 'records/cells.csv')).toEqual([]);
  });
});
