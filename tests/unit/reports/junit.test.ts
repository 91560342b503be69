import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as cheerio from 'cheerio';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { type Report, reportJsonSchemaText } from '../../../lib/records/report.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { pairShare } from '../../../reports/model/pairs.ts';
import { renderMarkdown } from '../../../reports/render/markdown.ts';
import { renderJunit } from '../../../reports/render/test-results.ts';
import { aLargeRun, aMixedReport, ctrfOf, judgedRun } from '../../helpers/a-report.ts';
import { aResult, fullResults } from '../../helpers/a-run.ts';

/** JUnit as a foreign parser reads it. */
function read(report: Report) {
  const text = renderJunit(report);
  expect(XMLValidator.validate(text)).toBe(true);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  return cheerio.load(text, { xml: true });
}

/** Total of all suites. */
const total = (report: Report, name: string) => Number(read(report)('testsuites').attr(name));

describe('junit.xml', () => {
  it('is read by a foreign parser with the counts of the report', () => {
    const report = aMixedReport();
    const xml = read(report);
    const number = (verdict: Verdict) => report.conformance?.counts[verdict] ?? 0;
    const results = report.conformance?.results.length ?? 0;
    expect(total(report, 'tests')).toBe(results + (report.load?.cells.length ?? 0));
    expect(total(report, 'failures')).toBe(number('fail') + 1);
    // One of the two blocked results has a failure as its root, and is skipped; one cell is invalid.
    expect(total(report, 'errors')).toBe(number('inconclusive') + number('error') + 1 + 1);
    expect(total(report, 'skipped')).toBe(number('not-applicable') + number('not-testable') + 1);
    const totals = { testcase: 'tests', failure: 'failures', error: 'errors', skipped: 'skipped' };
    for (const [name, all] of Object.entries(totals)) expect(xml(name)).toHaveLength(total(report, all));
  });

  it('has one error for what was not decided for one reason, and skips the results with it', () => {
    const reason = (id: string) => `login refused: GET /ers/config/alpha/${id} answered 401`;
    const [one, two] = ['c', 'd'].map((letter) => reason(`${letter}7bd38f0-df5e-469a-adf8-c7dac9732413`));
    const open = [
      aResult({ checkId: 'a/1', verdict: 'inconclusive', reason: one }),
      aResult({ checkId: 'a/2', verdict: 'error', reason: two }),
      aResult({ checkId: 'a/3', verdict: 'blocked', blockedBy: 'a/1|alpha', reason: 'a/1 was not decided' }),
      aResult({ checkId: 'a/4', verdict: 'inconclusive', reason: 'another' }),
    ];
    const report = judgedRun({ results: [...fullResults(), ...open] });
    const own = read(report)('testsuite[name="not decided"] > testcase');
    expect([own.length, own.attr('name'), own.has('error').length]).toEqual([1, reason('{id}'), 1]);
    // This one, the lone one, and the run that proves too little.
    expect(total(report, 'errors')).toBe(3);
    expect(report.exit.code).toBe(4);
    const failed = ctrfOf(report).tests.filter(({ status }) => status === 'failed');
    expect(failed.map(({ name }) => name)).toEqual([reason('{id}')]);
  });

  it('shows a run that recorded nothing as an error', () => {
    const report = judgedRun({ results: [], end: null });
    const suites = read(report)('testsuite').map((_, suite) => suite.attribs['name']);
    expect(suites.get()).toEqual(['run']);
    expect(total(report, 'errors')).toBe(1);
  });

  it('gives every test case of a suite a name of its own', () => {
    const xml = read(aMixedReport());
    const cases = xml('testcase').map((_, { attribs }) => `${attribs['classname']} ${attribs['name']}`);
    expect(new Set(cases.get()).size).toBe(cases.length);
  });
});

it('report.json validates against the committed JSON Schema, and a report without its verdict does not', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(reportJsonSchemaText()) as object);
  const written = JSON.parse(JSON.stringify(aMixedReport()));
  expect(validate(written), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...written, verdict: undefined })).toBe(false);
});

it('ctrf.json counts what it lists, with our verdicts as raw status', () => {
  const { summary, tests } = ctrfOf(aMixedReport());
  for (const counted of ['passed', 'failed', 'skipped', 'other'])
    expect(summary[counted]).toBe(tests.filter(({ status }) => status === counted).length);
  const passed = tests.filter(({ rawStatus }) => rawStatus === 'pass' || rawStatus === 'met');
  expect(passed).toHaveLength(summary['passed'] ?? -1);
  expect(tests.every(({ duration }) => Number.isInteger(duration))).toBe(true);
});

it('summary.md stands below 200 KiB however much failed, with failures before the tables', () => {
  // Each is about another requirement, so each has a cause of its own.
  const results = Array.from({ length: 2_000 }, (_, n) =>
    aResult({ verdict: 'fail', requirement: `REQ-${n}`, variant: `v${n}`, observed: `${n}${'x'.repeat(500)}` }),
  );
  const text = renderMarkdown(judgedRun({ results }));
  expect(Buffer.byteLength(text)).toBeLessThan(200 * 1024);
  expect(text.indexOf('### Findings')).toBeLessThan(text.indexOf('### Conformance'));
  expect(text).toMatch(/\d+ more are in index.html/);
  expect(Buffer.byteLength(renderMarkdown(aLargeRun().report))).toBeLessThan(200 * 1024);
});

it('the share of pairs of conditions that were tried is all of them only if none is left out', () => {
  const shares = [99_999, 100_000].map((exercised) => pairShare({ possible: 100_000, exercised }));
  expect(shares).toEqual(['99.9 %', '100 %']);
});

it('a flaky failure is told so in every file', () => {
  const second = { retry: { verdict: 'pass' as const, evidence: [], durationMs: 1 } };
  const flaky = aResult({ checkId: 'version/served', verdict: 'fail', observed: 'b', flaky: true, ...second });
  const report = judgedRun({ results: [flaky] });
  expect(report.exit.reasons[0]?.text).toContain('(1 result, flaky: passed on retry)');
  expect(renderHtml(report, [])).toContain('flaky: it failed, then passed on retry');
  expect(renderJunit(report)).toMatch(/name="flaky" value="true"\/>[\s\S]*message="flaky, passed on retry: /);
  expect(ctrfOf(report).tests[0]).toMatchObject({ status: 'failed', flaky: true, retries: 1 });
  expect(renderMarkdown(report)).toContain('| failed, flaky | version/served |');
});
