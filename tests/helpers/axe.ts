import axe from 'axe-core';
import type { Browser } from 'playwright-core';

/** Screens that every page must be readable on. */
export const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;
type Look = (typeof LOOKS)[keyof typeof LOOKS];

interface Axe {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: unknown }[] }[];
}

/** Violations that axe finds on a page with everything on it open, one line for each rule, and whether it scrolls sideways; `print` looks at it as it is printed. */
export async function axeViolations(browser: Browser, html: string, look: Look, print = false): Promise<string[]> {
  const context = await browser.newContext({ ...look, bypassCSP: true });
  try {
    const page = await context.newPage();
    await page.setContent(html);
    if (print) await page.emulateMedia({ media: 'print' });
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as Axe;
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 5).map(({ target }) => String(target))}`),
      ...(print || width <= look.viewport.width ? [] : [`${width} px wide on ${look.viewport.width}`]),
    ];
  } finally {
    await context.close();
  }
}

export async function printedPages(browser: Browser, html: string): Promise<number> {
  const page = await browser.newPage();
  try {
    await page.setContent(html);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    return pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
  } finally {
    await page.close();
  }
}
