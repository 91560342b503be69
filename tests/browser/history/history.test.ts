import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { historyReport } from '../../../history/model/history-report.ts';
import { renderHistoryHtml } from '../../../history/pages/page.tsx';
import { axeViolations, LOOKS, printedPages } from '../../helpers/axe.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { EXAMPLE_YEAR, simulatedHistory } from '../../helpers/simulated-history.ts';

const started = await startBrowser();
afterAll(async () => {
  if ('browser' in started) await started.browser.close();
});

const lines = simulatedHistory(365, EXAMPLE_YEAR);
const page = renderHistoryHtml(historyReport({ lines, skipped: [] }, {}));

describe('the page of a year of nights', () => {
  beforeEach((context) => {
    if ('missing' in started) context.skip(started.missing);
  });

  it.each(Object.entries(LOOKS))('has no violation of axe, %s', async (_look, look) => {
    if ('missing' in started) throw new Error(started.missing);
    expect(await axeViolations(started.browser, page, look)).toEqual([]);
  });

  it('has no violation of axe in print, and prints on six pages at most', async () => {
    if ('missing' in started) throw new Error(started.missing);
    expect(await axeViolations(started.browser, page, LOOKS.light, true)).toEqual([]);
    expect(await printedPages(started.browser, page)).toBeLessThanOrEqual(6);
  });
});
