import * as cheerio from 'cheerio';
import { describe, expect, it } from 'vitest';
import { capacityText } from '../../../lib/judge/capacity/details.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderCapacity } from '../../../reports/render/capacity.tsx';
import { renderJunit } from '../../../reports/render/junit.ts';
import { renderReport } from '../../../reports/render-run.ts';
import { aCapacityReport, aMeasuredCapacity, SEARCHES } from '../../helpers/a-capacity-report.ts';
import { aMixedReport, ctrfOf } from '../../helpers/a-report.ts';
import { anEnd } from '../../helpers/a-run.ts';

const report = aCapacityReport();
const [target, generator, below] = SEARCHES;
if (target === undefined || generator === undefined || below === undefined) throw new Error('three searches are made');
const alone = (search: typeof target) => aCapacityReport([search]);

describe('the verdict of a run that searched for the capacity', () => {
  it('is met where every search holds the published rate, also where the generator was the limit', () => {
    expect(alone(target)).toMatchObject({ capacity: { verdict: 'met' }, exit: { code: 0 } });
    expect(alone(generator)).toMatchObject({ capacity: { verdict: 'met' }, exit: { code: 0 } });
  });

  it('is violated below it, with the answer in the reason for exit 1', () => {
    expect(report.capacity?.verdict).toBe('violated');
    expect(report.exit.code).toBe(1);
    expect(report.exit.reasons[0]?.text).toContain(
      '500k apply-by-mac on 100 connections does not hold the published 250/s: it holds 174.0/s',
    );
  });

  it('is invalid, never met, where the generator could not offer the published rate', () => {
    const { capacity, exit } = alone({
      profile: '60k',
      capacityPerSecond: 900,
      generatorPerSecond: 200,
      rates: [250, 125, 177],
    });
    expect(capacity?.answers[0]).toMatchObject({ verdict: 'invalid', heldPerSecond: 177, atLeast: true });
    expect([capacity?.verdict, exit.code]).toEqual(['invalid', 4]);
  });

  it('is not met where a search was asked for and left no step', () => {
    const one = aCapacityReport([target, { ...below, rates: [] }]);
    expect([one.capacity?.verdict, one.exit.code]).toEqual(['invalid', 4]);
    expect(one.exit.reasons[0]?.text).toContain('1 requested search not run: 500k apply-by-mac');
    expect(aCapacityReport([{ ...below, rates: [] }])).toMatchObject({
      capacity: { verdict: 'not-tested' },
      exit: { code: 3 },
    });
  });
});

describe('the part of the statement that is about the generator', () => {
  it('counts each measurement that proved nothing, one that was made once more among them', () => {
    const text = (of: typeof report) => renderCapacity(of)[1]?.content;
    const { capacity, ...rest } = alone(target);
    if (capacity === undefined) throw new Error('no capacity');
    expect(text({ ...rest, capacity })).toContain('Every measurement was valid.');
    const [first, ...steps] = capacity.steps;
    if (first === undefined) throw new Error('no step');
    const late = { ...first, id: `${first.id}-late`, verdict: 'invalid' as const };
    const again = { ...first, facts: { ...first.facts, attempt: 2 as const } };
    const seen = text({ ...rest, capacity: { ...capacity, steps: [late, again, ...steps] } });
    expect(seen).toContain(`1 of ${capacity.steps.length + 1} measurements proved nothing`);
  });
});

describe('the answer in a sentence', () => {
  const sentences = report.capacity?.answers.map(capacityText) ?? [];

  it('says how much a target that was too slow got done', () => {
    expect(sentences[0]?.replace(/\u202f/g, '')).toBe(
      '60k apply-by-mac on 100 connections holds 1000/s, held by steps of seconds and not confirmed: 4.00 times the published 250/s; at 1050/s offered, the target completed 1000/s and a backlog built up',
    );
  });

  it('says at least, and why, where the generator was the limit', () => {
    expect(sentences[1]).toMatch(
      /^200k apply-by-mac on 100 connections holds at least 500\.0\/s, held by steps of seconds and not confirmed: 2\.00 times the published 250\/s; 707\.0\/s was not measured validly: lag of 707; the generator was the limit/,
    );
    expect(sentences[1]).toContain('k6 used at most 7.8 % of the processors, so something else');
  });

  it('says that the pool was too small for a higher rate, where nothing else ended the search', () => {
    const search = { ...generator, generatorPerSecond: 9000, rates: [250, 500, 563, 563] };
    const { capacity } = alone({ ...search, poolAllowsPerSecond: 563 });
    expect(capacity?.answers.map(capacityText).join()).toMatch(/at least 563.*the pool has too few endpoints/);
    expect(alone(search).capacity?.answers.map(capacityText).join()).toMatch(
      /at least 563.*no higher rate was offered$/,
    );
  });

  it('does not blame the generator for a step that an interruption ended', () => {
    const search = { ...generator, capacityPerSecond: 400, generatorPerSecond: 290, rates: [250, 270, 300] };
    const { capacity } = aCapacityReport([search], { end: anEnd({ signal: 'SIGINT' }) });
    expect(capacity?.answers[0]).toMatchObject({ heldPerSecond: 270, failedPerSecond: null, limit: 'end' });
    expect(capacity?.steps).toHaveLength(3);
  });

  it('says so where nothing held', () => {
    const { capacity } = alone({ profile: '60k', capacityPerSecond: 2, rates: [250, 5, 5] });
    expect(capacity?.answers.map(capacityText)).toEqual([
      '60k apply-by-mac on 100 connections does not hold the published 250/s: no rate was shown to hold; at 5.0/s offered, the target completed 2.0/s and a backlog built up',
    ]);
  });
});

describe('the capacity in the files of a run', () => {
  it('is a section of the page: searches side by side, curve, steps', () => {
    const page = cheerio.load(renderHtml(report, []));
    const section = page('section[aria-labelledby=capacity]');
    const second = section.find('tbody tr').eq(1).find('td');
    expect(second.map((_, cell) => page(cell).text()).get()).toEqual([
      ...[expect.stringContaining('passed'), '250.0', '≥ 500.0', '707.0', '≥ 2.00', '100', 'the generator'],
    ]);
    expect(section.find('svg[role=img]').attr('aria-label')).toContain('Response time over');
    expect(section.find('.cross')).toHaveLength(4);
  });

  it('is a case of junit.xml and ctrf.json for each search, with the outcome of its verdict', () => {
    const xml = renderJunit(report);
    expect(xml).toContain('<testsuite name="capacity" tests="3" failures="1" errors="0"');
    expect(xml).toMatch(
      /name="500k apply-by-mac"[\s\S]*?<failure [^>]*message="500k apply-by-mac on 100 connections does not hold the published 250\/s: it holds 174.0\/s/,
    );
    const { tests } = ctrfOf(report);
    expect(tests.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'capacity 60k apply-by-mac: passed',
      'capacity 200k apply-by-mac: passed',
      'capacity 500k apply-by-mac: failed',
    ]);
    expect(tests[1]?.labels).toMatchObject({ heldPerSecond: 500, headroom: 2, atLeast: true });
  });

  it('is what GitLab reads: answers as checks, figures of the rates that held; and a line of CSV for each step', () => {
    const file = (name: string) => renderReport(report, []).find((one) => one.name === name)?.content ?? '';
    const { metrics } = JSON.parse(file('records/load-performance.json'));
    expect(metrics.checks).toEqual({ passes: 2, fails: 1, value: 2 / 3 });
    expect(metrics.http_reqs.rate).toBeCloseTo((1000 + 500 + 174) / 3);
    expect(file('records/cells.csv').trim().split('\n')).toHaveLength(1 + (report.capacity?.steps.length ?? 0));
  });
});

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
