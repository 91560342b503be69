import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { aCapacityReport } from '../../helpers/a-capacity-report.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const started = await startBrowser();
const folder = folderOfTests();
const file = join(folder, 'index.html');
writeFileSync(file, renderHtml(aCapacityReport(), []));

/** Opens the capacity of the page, offline and from disk. */
async function opened<T>(colorScheme: 'light' | 'dark', look: (page: Page) => Promise<T>): Promise<T> {
  if ('missing' in started) throw new Error(started.missing);
  const context = await started.browser.newContext({
    offline: true,
    colorScheme,
    viewport: { width: 1280, height: 900 },
  });
  try {
    const page = await context.newPage();
    await page.goto(`${pathToFileURL(file).href}#capacity`);
    return await look(page);
  } finally {
    await context.close();
  }
}

afterAll(async () => {
  if ('browser' in started) await started.browser.close();
});

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

describe('the capacity in a browser', () => {
  beforeEach((context) => {
    if ('missing' in started) context.skip(started.missing);
  });

  it.each(['light', 'dark'] as const)(
    'draws charts whose words neither cover each other nor leave them, in %s mode',
    async (scheme) => {
      await opened(scheme, async (page) => {
        expect(await page.evaluate(BAD_TEXTS)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
          0,
        );
      });
    },
  );
});
