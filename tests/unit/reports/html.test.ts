import { createHash } from 'node:crypto';
import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { aLargeRun, aMixedReport, aMixedRun, judgedRun } from '../../helpers/a-report.ts';
import { aHeader, aResult } from '../../helpers/a-run.ts';

const mixed = () => renderHtml(aMixedReport(), aMixedRun().exchanges);

describe('index.html', () => {
  it('answers both questions in its banner, with the reasons of the exit code', () => {
    const page = load(mixed());
    expect(page('h1').length).toBe(1);
    expect(page('h1').text()).toMatch(/1 failure: GET \/ers\/config\/alpha.* \(1 result\); 1 of 3 hold 250\/s/);
    const banner = page('header').text();
    expect(banner).toContain('Does the deployment do what the specification says?');
    expect(banner).toContain('Do ANC operations hold 250/s?');
    expect(banner).toContain('exit 1');
  });

  it('says so when the run was cut or the certificate was not checked', () => {
    const target = { baseUrl: 'https://policy.example.com', embedded: false, insecure: true };
    const report = judgedRun({ end: null, header: aHeader({ target }) });
    const banner = load(renderHtml(report, []))('header').text();
    expect(banner).toContain('Incomplete');
    expect(banner).toContain('--insecure');
  });

  it('loads nothing, and runs only the script whose digest its policy names', () => {
    const page = load(mixed());
    const policy = page('meta[http-equiv="Content-Security-Policy"]').attr('content') ?? '';
    const script = page('script').text();
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(page('[src], link, iframe, object, embed, form, img, [onclick], [onload], [onerror]').length).toBe(0);
    expect(page('a[href]:not([href^="#"]), use[href]:not([href^="#"])').length).toBe(0);
  });

  it('keeps hostile text of a target inert and visible', () => {
    const text = mixed();
    const page = load(text);
    expect(page('script').length).toBe(1);
    expect(page('template').length).toBe(0);
    expect(text).not.toMatch(/[\u202e\u2028\0]/);
    expect(page('#findings').parent().text()).toContain('xbeta <script>alert(1)</script></template><!-- \\u202e');
  });

  it('stays below 5 MB with 5,000 results, 20 failures and answers of 10 MB', () => {
    const { report, exchanges } = aLargeRun();
    expect(report.conformance?.counts.fail).toBe(20);
    expect(Buffer.byteLength(renderHtml(report, exchanges))).toBeLessThan(5 * 1024 * 1024);
  });

  it('shows failures of one cause as one finding: the cause, how far it reaches, the first example and the others', () => {
    const title = 'a text comes back as it was sent';
    const results = ['a', 'b', 'c'].map((variant) => aResult({ verdict: 'fail', variant, title, observed: variant }));
    const page = load(renderHtml(judgedRun({ results }), []));
    expect(page('.finding')).toHaveLength(1);
    expect(page('.finding summary').text()).toContain(`${title}: wrong value in`);
    const [check, found] = ['crud/create-then-read alpha', page('.finding').text()];
    expect(found).toContain('3 results in 1 family');
    expect(found).toContain(`First example: ${title}, ${check} a`);
    expect(found).toContain(`The same in: ${check} b, ${check} c`);
  });

  it('gives every link of the page a place to go, and every id once', () => {
    const page = load(mixed());
    const all = (selector: string, name: string) => [...page(selector)].map((one) => page(one).attr(name) ?? '');
    const ids = all('[id]', 'id');
    expect(new Set(ids).size).toBe(ids.length);
    const anchors = all('a[href]', 'href').map((href) => href.slice(1));
    expect(anchors.filter((anchor) => !anchor.startsWith('results=') && !ids.includes(anchor))).toEqual([]);
  });
});
