import { describe, expect, it } from 'vitest';
import type { Report } from '../../../lib/records/report.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderCapacity } from '../../../reports/render/capacity.tsx';
import { aCapacityReport, aMeasuredCapacity } from '../../helpers/a-capacity-report.ts';
import { aMixedReport, aMixedRun, judgedRun } from '../../helpers/a-report.ts';
import { fullResults } from '../../helpers/a-run.ts';
import { axeViolations, LOOKS, printedPages } from '../../helpers/axe.ts';
import { browserOfTests } from '../../helpers/browser.ts';

const browser = await browserOfTests();

const green = (): Report => judgedRun({ results: fullResults() });
const mixed = aMixedReport();

const PAGES = {
  green: renderHtml(green(), []),
  failing: renderHtml({ ...mixed, load: null }, aMixedRun().exchanges),
  violated: renderHtml({ ...mixed, conformance: null }, []),
  capacity: renderHtml(aCapacityReport(), []),
  'capacity statement': renderCapacity(aCapacityReport())[0]?.content ?? '',
  'capacity statement with a curve': renderCapacity(aMeasuredCapacity())[0]?.content ?? '',
};
describe.each(Object.entries(PAGES))('the %s page', (_name, html) => {
  it('prints on four pages at most', async () => {
    expect(await printedPages(browser(), html)).toBeLessThanOrEqual(4);
  });

  it.each(Object.entries(LOOKS))('has no violation of axe, %s', async (_look, look) => {
    expect(await axeViolations(browser(), html, look)).toEqual([]);
  });
});
