import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../lib/records/report.ts';
import { renderJunit } from '../../../reports/render/junit.ts';
import { aMixedReport, ctrfOf, judgedRun } from '../../helpers/a-report.ts';
import { aResult, fullResults, given } from '../../helpers/a-run.ts';

interface TestCase {
  readonly '@_name': string;
  readonly failure?: unknown;
  readonly error?: { readonly '@_type': string };
  readonly skipped?: unknown;
}

interface Suite {
  readonly '@_name': string;
  readonly '@_tests': string;
  readonly testcase: readonly TestCase[];
}

/** JUnit as a foreign parser reads it. */
function read(report: Report): { readonly root: Record<string, string>; readonly suites: readonly Suite[] } {
  const text = renderJunit(report);
  expect(XMLValidator.validate(text)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  });
  const { testsuites } = parser.parse(text) as { testsuites: Record<string, string> & { testsuite: readonly Suite[] } };
  return { root: testsuites, suites: testsuites.testsuite };
}

describe('junit.xml', () => {
  it('is read by a foreign parser with the counts of the report', () => {
    const report = aMixedReport();
    const { root, suites } = read(report);
    const cases = suites.flatMap(({ testcase }) => testcase);
    const has = (member: 'failure' | 'error' | 'skipped') => cases.filter((test) => member in test).length;
    const counts = report.conformance?.counts;
    const cells = report.load?.cells ?? [];
    expect(cases.length).toBe((report.conformance?.results.length ?? 0) + cells.length);
    expect(has('failure')).toBe((counts?.fail ?? 0) + 1);
    // One of the two blocked results has a failure as its root, and is skipped; one cell is invalid.
    expect(has('error')).toBe((counts?.inconclusive ?? 0) + (counts?.error ?? 0) + 1 + 1);
    expect(has('skipped')).toBe((counts?.['not-applicable'] ?? 0) + (counts?.['not-testable'] ?? 0) + 1);
    expect([root['@_tests'], root['@_failures'], root['@_errors'], root['@_skipped']].map(Number)).toEqual([
      cases.length,
      has('failure'),
      has('error'),
      has('skipped'),
    ]);
  });

  it('counts a warning as a failure in a strict run, as its exit code does', () => {
    const report = aMixedReport();
    const strict = { ...report, run: { ...report.run, options: given({ strict: true }) } };
    const failures = (of: Report) => Number(read(of).root['@_failures']);
    expect(failures(strict)).toBe(failures(report) + (report.conformance?.counts.warn ?? 0));
    const failed = (of: Report) => ctrfOf(of).summary['failed'] ?? 0;
    expect(failed(strict)).toBe(failed(report) + (report.conformance?.counts.warn ?? 0));
  });

  it('skips a warning of a strict run that was expected', () => {
    const report = aMixedReport();
    const { conformance, run } = report;
    const results = (conformance?.results ?? []).map((result) =>
      result.verdict === 'warn' ? { ...result, known: { outcome: 'expected' as const, reason: 'known' } } : result,
    );
    const strict = { ...report, run: { ...run, options: given({ strict: true }) } };
    const expected = { ...strict, conformance: conformance === null ? null : { ...conformance, results } };
    expect(Number(read(expected).root['@_failures'])).toBe(Number(read(report).root['@_failures']));
    expect(Number(read(expected).root['@_skipped'])).toBe(
      Number(read(report).root['@_skipped']) + (conformance?.counts.warn ?? 0),
    );
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
    const { root, suites } = read(report);
    const own = suites.find((suite) => suite['@_name'] === 'not decided')?.testcase ?? [];
    expect(own.map((test) => [test['@_name'], 'error' in test])).toEqual([[reason('{id}'), true]]);
    // This one, the lone one, and the run that proves too little.
    expect(Number(root['@_errors'])).toBe(3);
    expect(report.exit.code).toBe(4);
    const failed = ctrfOf(report).tests.filter(({ status }) => status === 'failed');
    expect(failed.map(({ name }) => name)).toEqual([reason('{id}')]);
  });

  it('shows a run that recorded nothing as an error', () => {
    const { root, suites } = read(judgedRun({ results: [], end: null }));
    expect(suites.map((suite) => suite['@_name'])).toEqual(['run']);
    expect(Number(root['@_errors'])).toBe(1);
  });

  it('gives every test case of a suite a name of its own', () => {
    for (const { testcase } of read(aMixedReport()).suites) {
      expect(new Set(testcase.map((test) => test['@_name'])).size).toBe(testcase.length);
    }
  });

  it('holds no character that XML 1.0 forbids', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(renderJunit(aMixedReport())).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  });
});
