import * as cheerio from 'cheerio';
import { load as parseHtml } from 'cheerio';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { annotations, summaryLines } from '../../../cli/output/summary.ts';
import type { Report } from '../../../lib/records/report.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderCapacity } from '../../../reports/render/capacity.tsx';
import { renderMarkdown } from '../../../reports/render/markdown.ts';
import { renderJunit } from '../../../reports/render/test-results.ts';
import { ctrfOf } from '../../helpers/a-report.ts';
import { ENDINGS, INVALID_FIGURES } from '../../helpers/endings.ts';

/** A fact with the words that say yes to it and those that say no: a page that has both contradicts itself. */
const FACTS: readonly (readonly [fact: string, yes: RegExp, no: RegExp])[] = [
  ['confirmed', /confirmed for \d|as was confirmed/, /not confirmed|not valid/],
  ['below the published rate', /below the [\d.]+\/s|does not hold the published/, /(?<!\d)[1-9]\d*\.\d+ (×|times)/],
  ['a rest on invalid cells', /no figure rests on them/, /\bNO\b/],
  ['all was proven', /everything that was asked for was proven/, /Not proven by this run|exit [1-9]/],
  ['the rate', /rate not held|: violated/, /Not a question of speed|not run: /],
  ['the load', /Load: passed|load: met/, /was refused|too slow/],
  ['what limits the rate', /highest rate that was allowed/, /ended early|interrupted/i],
  ['a failure', /Failed/, /0 new failures|not conformant, as expected|Better/],
  ['something new', /Nothing new/, /not conformant|non-conformant/],
  ['the target was left as found', /Left as found: YES/, /left on the target: [1-9]/],
  ['passed', /\bPassed|\bProven\b(?! by)/, /\(exit [1-9]\d*\)/],
  ['one exit code', /exit 0: /, /\(exit [1-9]/],
  ['a valid generator', /generator was late|the generator starts arrivals on time: [\d.]+ ms, allowed/, /too slow/],
];

const plain = (html: string): string => {
  const page = parseHtml(html);
  page('style, script, svg').remove();
  return page.text().replace(/\s+/g, ' ');
};

function invalidAnchors({ load, capacity }: Report): ReadonlySet<string> {
  const cells = [...(load?.cells ?? []), ...(load?.repeated ?? []), ...(capacity?.steps ?? [])];
  const anchor = (id: string, attempt: number) => `cell-${id.replace(/[^\w-]/g, '-')}-try-${attempt}`;
  return new Set(cells.flatMap(({ id, attempt, verdict }) => (verdict === 'invalid' ? [anchor(id, attempt)] : [])));
}

/** Findings about figures: those that link to an invalid cell, and those that only an invalid cell has. */
function figureFindings(html: string, where: string, report: Report): string[] {
  const page = parseHtml(html);
  const invalid = invalidAnchors(report);
  const links = page('a[href*="#cell-"]')
    .toArray()
    .map((link) => ({ text: page(link).text(), to: (link.attribs['href'] ?? '').replace(/^.*#/, '') }))
    .filter(({ text, to }) => /\d/.test(text) && invalid.has(to));
  const figures = Object.values(INVALID_FIGURES).filter((figure) => plain(html).includes(String(figure)));
  return [
    ...links.map(({ text, to }) => `${where}: the figure ${text} links to the invalid cell ${to}`),
    ...figures.map((figure) => `${where}: ${figure} was measured in an invalid cell`),
  ];
}

/** What is wrong with what a reader sees of a run: figures of invalid cells, and sentences about one fact that disagree. */
function findingsIn(seen: ReturnType<typeof seenOf>, report: Report): readonly string[] {
  const banner = parseHtml(seen.index)('header').html() ?? '';
  const statement = seen.statement ?? '';
  const texts: Readonly<Record<string, string>> = {
    'first screen': plain(banner),
    statement: plain(statement),
    headings: parseHtml(seen.index)('h2').text(),
    summary: seen.summary.split('###')[0] ?? '',
    'statement as text': seen.statementText ?? '',
    terminal: seen.terminal,
  };
  const all = Object.values(texts).join('\n');
  const cut = report.end?.signal !== undefined || report.end === null;
  return [
    ...figureFindings(banner, 'first screen', report),
    ...figureFindings(statement, 'statement', report),
    ...FACTS.filter(([, yes, no]) => yes.test(all) && no.test(all)).map(
      ([fact]) => `two sentences disagree about: ${fact}`,
    ),
    ...Object.entries(texts)
      .filter(
        ([where, text]) =>
          cut && where !== 'headings' && text !== '' && !/interrupt|ended early|was cut|cut before/i.test(text),
      )
      .map(([where]) => `${where}: does not say that the run was interrupted`),
    ...(parseHtml(seen.index)('header.good').length > 0 && report.exit.code !== 0
      ? ['a green page of a run that failed']
      : []),
  ];
}

/** The report of each ending, with its page. */
const ALL = Object.entries(ENDINGS).map(([name, made]) => {
  const report = made();
  return [name, { report, index: renderHtml(report, []) }] as const;
});

/** Everything that a reader sees of one run, by where: HTML of the pages, and lines of text. */
const seenOf = (report: Report, index: string) => ({
  index,
  statement: renderCapacity(report)[0]?.content ?? null,
  summary: renderMarkdown(report),
  statementText: renderCapacity(report)[1]?.content ?? null,
  terminal: summaryLines(report, 'runs/one', pc.createColors(false)).join('\n'),
});

describe('what is said of a run', () => {
  it.each(ALL)('rests on valid cells and agrees with itself: %s', (_name, { report, index }) => {
    expect(findingsIn(seenOf(report, index), report)).toEqual([]);
  });

  it.each(ALL)('has one column for each word, and never sends to the page that is read: %s', (_name, { index }) => {
    const page = cheerio.load(index);
    const words = page('.families thead th')
      .toArray()
      .map((head) => page(head).text());
    expect(words).toEqual([...new Set(words)]);
    expect(page('.next').text()).not.toContain('report open');
  });
});

it.each(ALL)(
  'the programs that read reports see the same cases, and annotations of what JUnit shows as wrong: %s',
  (_name, { report }) => {
    const xml = cheerio.load(renderJunit(report), { xml: true });
    expect(xml('testcase').length).toBe(ctrfOf(report).tests.length);
    const wrong = xml('testcase[classname=ers.load], testcase[classname=ers.run]').has('failure, error');
    const told = annotations(report, []).join('\n');
    for (const one of wrong.toArray()) expect(told).toContain(xml(one).attr('name'));
  },
);
