import * as cheerio from 'cheerio';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderCapacity } from '../../../reports/render/capacity.tsx';
import { aCapacityReport, aMeasuredCapacity } from '../../helpers/a-capacity-report.ts';
import { aMixedReport } from '../../helpers/a-report.ts';

const QUESTIONS = [
  'Answer',
  'What was not measured',
  'Was the load generator in order?',
  'How it refuses',
  'Population declared and touched',
  'Configuration',
  'Side effects, and proof of clean-up',
  'How to repeat it',
];

const htmlOf = (report: Parameters<typeof renderCapacity>[0]) => renderCapacity(report)[0]?.content;
const markdownOf = (report: Parameters<typeof renderCapacity>[0]) => renderCapacity(report)[1]?.content;

describe('the capacity statement', () => {
  const measured = aMeasuredCapacity();
  const html = htmlOf(measured) ?? '';
  const markdown = markdownOf(measured) ?? '';

  it('answers every question of a change board, the same in HTML and in Markdown', () => {
    const $ = cheerio.load(html);
    expect(
      $('h2')
        .toArray()
        .map((title) => $(title).text()),
    ).toEqual(QUESTIONS);
    expect([...markdown.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(QUESTIONS);
  });

  it('links figures to cells that are in the report beside it', () => {
    const report = cheerio.load(renderHtml(measured, []));
    const anchors = cheerio
      .load(html)('a[href^="../index.html#"]')
      .toArray()
      .map((link) => (link.attribs['href'] ?? '').replace('../index.html#', ''));
    expect(anchors.length).toBeGreaterThan(5);
    expect(anchors.filter((id) => report(`[id="${id}"]`).length === 0)).toEqual([]);
  });

  it('says what was not measured: a longer confirmation, an objective, Poisson arrivals, other connections', () => {
    const bare = markdownOf(aCapacityReport()) ?? '';
    for (const missing of [
      'not confirmed by a longer run',
      'No limit of the response time',
      'Poisson arrivals',
      'recovery',
      'Other numbers of connections',
    ]) {
      expect(bare).toContain(missing);
    }
    expect(markdown).not.toContain('not confirmed by a longer run');
  });

  it('doubts the population of a target, and not that of the embedded deployment', () => {
    const doubts = [/does not verify them/, /too few to speak/, /of it was touched/];
    const { target } = measured.run;
    const own = { ...measured, run: { ...measured.run, target: { ...target, embedded: true } } };
    expect(doubts.map((words) => words.test(markdown))).toEqual([true, true, true]);
    expect(doubts.map((words) => words.test(markdownOf(own) ?? ''))).toEqual([false, false, false]);
  });

  it('is there for each search of a run, and not where no capacity was looked for', () => {
    expect(markdownOf(aCapacityReport())).toContain('## 200k apply-by-mac: Answer');
    expect(renderCapacity(aMixedReport())).toEqual([]);
  });

  it('loads nothing, and shows text of the target as text', () => {
    const hostile = {
      ...measured,
      run: { ...measured.run, target: { ...measured.run.target, baseUrl: 'https://x/<img src=1>' } },
    };
    const page = cheerio.load(htmlOf(hostile) ?? '');
    expect(page('img, script, link, iframe').length).toBe(0);
    const outsideCode = (markdownOf(hostile) ?? '').replace(/```[\s\S]*?```/g, '');
    expect(outsideCode).not.toContain('<img');
  });
});
