import * as cheerio from 'cheerio';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { annotations } from '../../../cli/output/failures.ts';
import { summaryLines } from '../../../cli/output/summary.ts';
import type { Report } from '../../../lib/records/report.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderCapacity } from '../../../reports/render/capacity.tsx';
import { renderJunit } from '../../../reports/render/junit.ts';
import { renderMarkdown } from '../../../reports/render/markdown.ts';
import { ctrfOf } from '../../helpers/a-report.ts';
import { ENDINGS } from '../../helpers/endings.ts';
import { findingsIn } from '../../helpers/page-checker.ts';

const seenOf = (report: Report) => ({
  index: renderHtml(report, []),
  statement: renderCapacity(report)[0]?.content ?? null,
  summary: renderMarkdown(report),
  statementText: renderCapacity(report)[1]?.content ?? null,
  terminal: summaryLines(report, 'runs/one', pc.createColors(false)).join('\n'),
});

describe('what is said of a run', () => {
  it.each(Object.keys(ENDINGS))('rests on valid cells and agrees with itself: %s', (name) => {
    const report = ENDINGS[name]?.() as Report;
    expect(findingsIn(seenOf(report), report)).toEqual([]);
  });

  it.each(Object.keys(ENDINGS))('has one box for each word, and never sends to the page that is read: %s', (name) => {
    const page = cheerio.load(renderHtml(ENDINGS[name]?.() as Report, []));
    const words = page('.strip .v')
      .toArray()
      .map((mark) => page(mark).text());
    expect(words).toEqual([...new Set(words)]);
    expect(page('.next').text()).not.toContain('report open');
  });
});

describe('the programs that read reports', () => {
  it.each(Object.keys(ENDINGS))('see the same cases, and annotations of what JUnit shows as wrong: %s', (name) => {
    const report = ENDINGS[name]?.() as Report;
    const xml = cheerio.load(renderJunit(report), { xml: true });
    expect(xml('testcase').length).toBe(ctrfOf(report).tests.length);
    const wrong = xml('testcase[classname=ers.load], testcase[classname=ers.run]').has('failure, error');
    const told = annotations(report, []).join('\n');
    for (const one of wrong.toArray()) expect(told).toContain(xml(one).attr('name'));
  });
});
