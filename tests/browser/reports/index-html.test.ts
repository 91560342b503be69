import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { aCapacityReport } from '../../helpers/a-capacity-report.ts';
import { aMixedReport, aMixedRun } from '../../helpers/a-report.ts';
import { browserOfTests } from '../../helpers/browser.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const browser = await browserOfTests();
const folder = folderOfTests();
const file = pathToFileURL(join(folder, 'index.html'));
const capacity = pathToFileURL(join(folder, 'capacity.html'));
writeFileSync(file, renderHtml(aMixedReport(), aMixedRun().exchanges));
writeFileSync(capacity, renderHtml(aCapacityReport(), []));

interface Opened {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly messages: readonly string[];
}

/** Opens a page offline, from disk, and gives what it asked for and what it said. */
async function opened<T>(
  options: BrowserContextOptions,
  look: (opened: Opened) => Promise<T>,
  address = file.href,
): Promise<T> {
  const viewport = { width: 1280, height: 900 };
  const context = await browser().newContext({ offline: true, viewport, ...options });
  try {
    const page = await context.newPage();
    const requests: string[] = [];
    const messages: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (fault) => messages.push(String(fault)));
    page.on('dialog', (dialog) => messages.push(`dialog: ${dialog.message()}`));
    await page.goto(address);
    return await look({ page, requests, messages });
  } finally {
    await context.close();
  }
}

/** Texts of the charts that lie on one another or outside of their chart, computed in the page. */
const BAD_TEXTS = `(() => {
  const words = (text) => text.textContent.trim();
  return [...document.querySelectorAll('section[aria-labelledby=capacity] svg[role=img]')]
    .filter((chart) => chart.getBoundingClientRect().width > 0)
    .flatMap((chart) => {
      const frame = chart.getBoundingClientRect();
      const boxes = [...chart.querySelectorAll('text')].map((text) => [words(text), text.getBoundingClientRect()]);
      const outside = boxes.filter(([, b]) => b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1);
      const over = boxes.flatMap(([one, a], at) => boxes.slice(at + 1)
        .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
        .map(([two]) => one + ' over ' + two));
      return [...outside.map(([word]) => word + ' outside'), ...over];
    });
})()`;

describe('index.html in a browser', () => {
  it('opens from disk, offline, with no request but itself and nothing on the console', async () => {
    await opened({}, async ({ page, requests, messages }) => {
      expect(await page.title()).toContain('Failed: 1 failure');
      expect(requests).toEqual([file.href]);
      expect(messages).toEqual([]);
    });
  });

  it('shows its verdict, its cells, its families and its findings without JavaScript', async () => {
    await opened({ javaScriptEnabled: false }, async ({ page }) => {
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect(await page.locator('h1').textContent()).toContain('1 of 3 hold 250/s');
      expect(await page.locator('.cells tbody tr').count()).toBe(3);
      // One of all, and one of each family.
      expect(await page.locator('.families tbody tr').count()).toBe(3);
      expect(await page.locator('details.finding').first().isVisible()).toBe(true);
      expect(await page.locator('.filter').isVisible()).toBe(false);
    });
  });

  it('filters the results by a link of the count strip', async () => {
    await opened({}, async ({ page }) => {
      await page.locator('a[href="#results=fail"]').click();
      await page.locator('#f-count').waitFor();
      expect(await page.locator('#all-results tbody tr:visible').count()).toBe(1);
      expect(await page.locator('#f-count').textContent()).toMatch(/^1 of \d+ results shown$/);
    });
  });

  it('opens a closed cell when a link points into it', async () => {
    await opened({}, async ({ page }) => {
      const link = page.locator('.cells a').first();
      const anchor = (await link.getAttribute('href')) ?? '';
      await link.click();
      await page.locator(`${anchor} svg.chart`).first().waitFor({ state: 'visible' });
      expect(await page.locator(`${anchor} svg.chart`).count()).toBe(2);
    });
  });

  it.each(['light', 'dark'] as const)(
    'draws charts whose words neither cover each other nor leave them, in %s mode',
    async (colorScheme) => {
      const look = async ({ page }: Opened) => {
        expect(await page.evaluate(BAD_TEXTS)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
          0,
        );
      };
      await opened({ colorScheme }, look, `${capacity.href}#capacity`);
    },
  );
});
