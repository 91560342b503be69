import axe from 'axe-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { judge } from '../../../lib/judge/judge.ts';
import type { Report } from '../../../lib/records/report.ts';
import { renderHtml } from '../../../reports/render/html.tsx';
import { aCapacityReport } from '../../helpers/a-capacity-report.ts';
import { aCell } from '../../helpers/a-cell-report.ts';
import { aMixedReport, aMixedRun } from '../../helpers/a-report.ts';
import { aHeader, aRun, fullResults } from '../../helpers/a-run.ts';
import { startBrowser } from '../../helpers/browser.ts';

const started = await startBrowser();
const AXE = axe.source;
afterAll(async () => {
  if ('browser' in started) await started.browser.close();
});

const green = (): Report =>
  judge(aRun({ header: aHeader({ options: { title: 'Lab', author: 'Ada' } }), results: fullResults() }), (facts) =>
    aCell({ facts }),
  );
const mixed = aMixedReport();
const PAGES = {
  green: renderHtml(green(), []),
  failing: renderHtml({ ...mixed, load: null }, aMixedRun().exchanges),
  violated: renderHtml({ ...mixed, conformance: null }, []),
  capacity: renderHtml(aCapacityReport(), []),
};
const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

interface Axe {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: unknown }[] }[];
}

describe.each(Object.entries(PAGES))('the %s page', (_name, html) => {
  beforeEach((context) => {
    if ('missing' in started) context.skip(started.missing);
  });

  it('prints on four pages at most', async () => {
    if ('missing' in started) throw new Error(started.missing);
    const page = await started.browser.newPage();
    try {
      await page.setContent(html);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)?.length ?? 0).toBeLessThanOrEqual(4);
    } finally {
      await page.close();
    }
  });

  it.each(Object.entries(LOOKS))('has no violation of axe, %s', async (_look, options) => {
    if ('missing' in started) throw new Error(started.missing);
    const context = await started.browser.newContext({ ...options, bypassCSP: true });
    try {
      const page = await context.newPage();
      await page.setContent(html);
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
      await page.evaluate(AXE);
      const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as Axe;
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 5).map(({ target }) => String(target))}`),
      ).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
