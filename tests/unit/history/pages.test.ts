import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { historyReport } from '../../../reports/history/model/history-report.ts';
import { HistoryReportSchema } from '../../../reports/history/model/schema.ts';
import { renderHistoryMarkdown } from '../../../reports/history/pages/lines.ts';
import { renderHistoryHtml } from '../../../reports/history/pages/page.tsx';
import { HistoryLine } from '../../../reports/history/record/line.ts';
import { EXAMPLE_YEAR, simulatedHistory } from '../../helpers/simulated-history.ts';

const year = simulatedHistory(365, EXAMPLE_YEAR);
const report = historyReport({ lines: year, skipped: [] }, {});
const html = renderHistoryHtml(report, new Set([year[3]?.folder ?? '']));
const page = load(html);

describe('the page of a year', () => {
  it('is one file of at most 3 MB without script, network or link to another host', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
    expect(page('script, img, iframe, link').length).toBe(0);
    expect(html).not.toMatch(/(?:src|href)="https?:/);
    expect(page('meta[http-equiv="Content-Security-Policy"]').attr('content')).toContain("default-src 'none'");
  });

  it('has a line for every night, reached by a link, with the report where the folder is still there', () => {
    expect(page('a.n').length).toBe(365);
    page('a.n').each((_at, link) => expect(page(page(link).attr('href') ?? '').length).toBe(1));
    expect(page('#night-4 a').attr('href')).toBe(`${year[3]?.folder}/index.html`);
    expect(page('#night-5 a').length).toBe(0);
  });

  it('shows what the truth of the year is: the failing check, the slower cells and the flaky checks', () => {
    const changes = ['dialect sort-case: as before → letters by code'];
    expect(report.failing).toMatchObject([{ checkId: 'filter/or', firstBad: { run: year[344]?.run }, changes }]);
    expect(report.flakes.map(({ checkId }) => checkId)).toContain('concurrency/whole-reads');
    expect(report.counted).toBe(361);
    const text = page('main').text();
    for (const word of ['filter/or', 'whole-reads', 'service p99', 'letters by code']) expect(text).toContain(word);
    expect(renderHistoryMarkdown(report)).toContain('filter/or');
  });

  it('is what its schema says, and so is every line', () => {
    expect(HistoryReportSchema.parse(structuredClone(report))).toEqual(report);
    for (const line of year.slice(0, 5)) expect(HistoryLine.parse(line)).toEqual(line);
  });

  it('makes nothing of a hostile line: no element, no Markdown, no control character', () => {
    const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\u001b[2J | [x](javascript:1)';
    const lines = simulatedHistory(3, EXAMPLE_YEAR).map((line) => ({
      ...{ ...line, tool: hostile, run: `${hostile}${line.run}`, target: hostile, folder: '../../etc', exit: 1 },
      ...{ reasons: [hostile], checks: { [hostile]: { r: ['f'] } }, families: [hostile] },
    }));
    const hostileReport = historyReport({ lines, skipped: [hostile] }, {});
    const hostilePage = load(renderHistoryHtml(hostileReport));
    expect(hostilePage('script, img, [onerror]').length).toBe(0);
    const markdown = renderHistoryMarkdown(hostileReport);
    expect(markdown).not.toMatch(/(?<!\\)<script|(?<!\\)\]\(/);
    expect(markdown).not.toContain('\u001b');
  });
});
