import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { aMixedReport, aMixedRun } from '../../helpers/a-report.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const started = await startBrowser();
const folder = folderOfTests();
const file = join(folder, 'index.html');
writeFileSync(file, renderHtml(aMixedReport(), aMixedRun().exchanges));

interface Opened {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly messages: readonly string[];
}

/** Opens the page offline, from disk, and gives what it asked for and what it said. */
async function opened<T>(options: BrowserContextOptions, look: (opened: Opened) => Promise<T>): Promise<T> {
  if ('missing' in started) throw new Error(started.missing);
  const context = await started.browser.newContext({
    offline: true,
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  try {
    const page = await context.newPage();
    const requests: string[] = [];
    const messages: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (fault) => messages.push(String(fault)));
    page.on('dialog', (dialog) => messages.push(`dialog: ${dialog.message()}`));
    await page.goto(pathToFileURL(file).href);
    return await look({ page, requests, messages });
  } finally {
    await context.close();
  }
}

afterAll(async () => {
  if ('browser' in started) await started.browser.close();
});

describe('index.html in a browser', () => {
  beforeEach((context) => {
    if ('missing' in started) context.skip(started.missing);
  });

  it('opens from disk, offline, with no request but itself and nothing on the console', async () => {
    await opened({}, async ({ page, requests, messages }) => {
      expect(await page.title()).toContain('Failed: 1 failure');
      expect(requests).toEqual([pathToFileURL(file).href]);
      expect(messages).toEqual([]);
    });
  });

  it('shows its verdict, its cells, its matrix and its findings without JavaScript', async () => {
    await opened({ javaScriptEnabled: false }, async ({ page }) => {
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect(await page.locator('h1').textContent()).toContain('1 of 3 hold 250/s');
      expect(await page.locator('.cells tbody tr').count()).toBe(3);
      expect(await page.locator('.matrix tbody tr').count()).toBe(2);
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
});
