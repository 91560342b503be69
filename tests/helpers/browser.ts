import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeEach } from 'vitest';

/** A headless browser: the Chrome that CHROME_PATH names, else the one that comes with the package; or why there is none. */
async function startBrowser(): Promise<{ readonly browser: Browser } | { readonly missing: string }> {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && !existsSync(named)) return { missing: `CHROME_PATH names ${named}, which does not exist` };
  try {
    const executablePath = named ?? (await chromium.executablePath());
    return { browser: await playwright.launch({ executablePath, headless: true, args: ['--no-sandbox'] }) };
  } catch (fault) {
    const words = fault instanceof Error ? (fault.message.split('\n')[0] ?? '') : String(fault);
    return { missing: `no browser can start: ${words}` };
  }
}

/** The browser of a file of tests, which is closed after them; where none can start, they are skipped. */
export async function browserOfTests(): Promise<() => Browser> {
  const started = await startBrowser();
  beforeEach((context) => {
    if ('missing' in started) context.skip(started.missing);
  });
  afterAll(async () => {
    if ('browser' in started) await started.browser.close();
  });
  return () => {
    if ('missing' in started) throw new Error(started.missing);
    return started.browser;
  };
}
