import { describe, expect, it } from 'vitest';
import { historyReport } from '../../../reports/history/model/history-report.ts';
import { renderHistoryHtml } from '../../../reports/history/pages/page.tsx';
import { axeViolations, LOOKS, printedPages } from '../../helpers/axe.ts';
import { browserOfTests } from '../../helpers/browser.ts';
import { EXAMPLE_YEAR, simulatedHistory } from '../../helpers/simulated-history.ts';

const browser = await browserOfTests();
const lines = simulatedHistory(365, EXAMPLE_YEAR);
const page = renderHistoryHtml(historyReport({ lines, skipped: [] }, {}));

describe('the page of a year of nights', () => {
  it.each(Object.entries(LOOKS))('has no violation of axe, %s', async (_look, look) => {
    expect(await axeViolations(browser(), page, look)).toEqual([]);
  });

  it('has no violation of axe in print, and prints on six pages at most', async () => {
    expect(await axeViolations(browser(), page, LOOKS.light, true)).toEqual([]);
    expect(await printedPages(browser(), page)).toBeLessThanOrEqual(6);
  });
});
