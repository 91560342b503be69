import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { renderHtml } from '../../../reports/render/html.tsx';
import { aMixedReport, aMixedRun } from '../../helpers/a-report.ts';
import { startBrowser } from '../../helpers/browser.ts';

const started = await startBrowser();
const folder = mkdtempSync(join(tmpdir(), 'ers-report-'));
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
  rmSync(folder, { recursive: true, force: true });
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

  it.each(['light', 'dark'] as const)('does not scroll sideways at 1280 pixels, in %s mode', async (colorScheme) => {
    await opened({ colorScheme }, async ({ page }) => {
      const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(widths)).toBe(0);
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

  it('gives every text at least 4.5 to 1 of contrast in the banner, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const ratios = await opened({ colorScheme }, ({ page }) => page.evaluate(CONTRASTS));
      expect(Math.min(...(ratios as number[]))).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** Contrast of text against its background for every text of banner and tables, computed in the page. */
const CONTRASTS = `(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const color = parse(getComputedStyle(up).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('header *, .cells *, .matrix *, .strip *')]
    .filter((element) => !element.closest('svg') && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
    .map((element) => {
      const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
})()`;
