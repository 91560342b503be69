import { describe, expect, it } from 'vitest';
import { serveLive } from '../../../cli/live/server.ts';
import { type LiveParts, liveParts, renderLivePage } from '../../../reports/html/live/page.tsx';
import { A_LIVE_RUN } from '../../helpers/a-live-run.ts';
import { axeViolations, LOOKS } from '../../helpers/axe.ts';
import { browserOfTests } from '../../helpers/browser.ts';

const browser = await browserOfTests();

describe('the live page', () => {
  it.each(Object.entries(LOOKS))('has no violation of axe, and is as wide as the screen, %s', async (_look, look) => {
    const { cell: _, ...begun } = A_LIVE_RUN;
    const end = { tone: 'bad', sentence: '1 of 2 hold 250/s', code: 1, page: '/runs/x/index.html' } as const;
    for (const run of [A_LIVE_RUN, { ...begun, end }, { ...begun, checks: undefined, cells: [], told: [] }])
      expect(await axeViolations(browser(), renderLivePage(liveParts(run), run), look)).toEqual([]);
  });

  it('follows the run without a reload, keeps the place of its reader, and says when the run has ended', async () => {
    let run = A_LIVE_RUN;
    const server = serveLive({ parts: () => liveParts(run), page: (now) => renderLivePage(now as LiveParts, run) }, 20);
    const tab = await browser().newPage();
    const complaints: string[] = [];
    const asked = new Set<string>();
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (fault) => complaints.push(fault.message));
    tab.on('request', (request) => asked.add(new URL(request.url()).pathname));
    await tab.goto(await server.address);
    await tab.locator('#cells').focus();
    run = { ...run, doing: 'phase 3 of 4: <i>60k</i>', left: 'about 40 s left in all' };
    await tab.locator('h1', { hasText: 'phase 3 of 4: <i>60k</i>' }).waitFor();
    expect(await tab.evaluate('document.activeElement.id')).toBe('cells');
    const end = { tone: 'good', sentence: 'All 3 loads hold 250/s', code: 0, page: '/runs/x/index.html' } as const;
    run = { ...run, cell: undefined, end };
    server.end();
    await tab.locator('header.good h1', { hasText: 'All 3 loads hold 250/s' }).waitFor();
    expect(await tab.locator('#now').isVisible()).toBe(false);
    expect(await tab.locator('#lost').isVisible()).toBe(false);
    expect([...asked].filter((path) => path !== '/favicon.ico').sort()).toEqual(['/', '/events']);
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
    await tab.close();
  });
});
