import * as cheerio from 'cheerio';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../lib/records/report.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { renderJunit } from '../../../reports/render/junit.ts';
import { aMixedReport, ctrfOf, judgedRun } from '../../helpers/a-report.ts';
import { aResult, fullResults, given } from '../../helpers/a-run.ts';

/** JUnit as a foreign parser reads it. */
function read(report: Report) {
  const text = renderJunit(report);
  expect(XMLValidator.validate(text)).toBe(true);
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

  it('counts a warning as a failure in a strict run, as its exit code does', () => {
    const report = aMixedReport();
    const strict = { ...report, run: { ...report.run, options: given({ strict: true }) } };
    const warnings = report.conformance?.counts.warn ?? 0;
    expect(total(strict, 'failures')).toBe(total(report, 'failures') + warnings);
    const failed = (of: Report) => ctrfOf(of).summary['failed'] ?? 0;
    expect(failed(strict)).toBe(failed(report) + warnings);
  });

  it('skips a warning of a strict run that was expected', () => {
    const report = aMixedReport();
    const { conformance, run } = report;
    const results = (conformance?.results ?? []).map((result) =>
      result.verdict === 'warn' ? { ...result, known: { outcome: 'expected' as const, reason: 'known' } } : result,
    );
    const strict = { ...report, run: { ...run, options: given({ strict: true }) } };
    const expected = { ...strict, conformance: conformance === null ? null : { ...conformance, results } };
    expect(total(expected, 'failures')).toBe(total(report, 'failures'));
    expect(total(expected, 'skipped')).toBe(total(report, 'skipped') + (conformance?.counts.warn ?? 0));
  });

  it('has one error for what was not decided for one reason, and skips the results with it', () => {
    const reason = (id: string) => `login refused: GET /ers/config/alpha/${id} answered 401`;
    const open = (checkId: string, id: string, verdict: 'inconclusive' | 'error') =>
      aResult({ checkId, verdict, reason: reason(id) });
    const ids = ['c7bd38f0-df5e-469a-adf8-c7dac9732413', 'd7bd38f0-df5e-469a-adf8-c7dac9732413'];
    const waits = { verdict: 'blocked', blockedBy: 'a/1|alpha', reason: 'a/1 was not decided' } as const;
    const results = [
      ...fullResults(),
      open('a/1', ids[0] ?? '', 'inconclusive'),
      open('a/2', ids[1] ?? '', 'error'),
      aResult({ checkId: 'a/3', ...waits }),
      aResult({ checkId: 'a/4', verdict: 'inconclusive', reason: 'another' }),
    ];
    const report = judgedRun({ results });
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

  it('holds no character that XML 1.0 forbids', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(renderJunit(aMixedReport())).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  });
});
