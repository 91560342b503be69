import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { reportJsonSchemaText } from '../../../lib/records/report.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { pairShare } from '../../../reports/model/pairs.ts';
import { renderJunit } from '../../../reports/render/junit.ts';
import { renderMarkdown } from '../../../reports/render/markdown.ts';
import { aLargeRun, aMixedReport, ctrfOf, judgedRun } from '../../helpers/a-report.ts';
import { aResult } from '../../helpers/a-run.ts';

describe('report.json', () => {
  it('validates against the committed JSON Schema, and a report without its verdict does not', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(reportJsonSchemaText()) as object);
    const written = JSON.parse(JSON.stringify(aMixedReport()));
    expect(validate(written), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...written, verdict: undefined })).toBe(false);
  });
});

describe('ctrf.json', () => {
  it('counts what it lists, with our verdicts as raw status', () => {
    const { summary, tests } = ctrfOf(aMixedReport());
    for (const counted of ['passed', 'failed', 'skipped', 'other'])
      expect(summary[counted]).toBe(tests.filter(({ status }) => status === counted).length);
    const passed = tests.filter(({ rawStatus }) => rawStatus === 'pass' || rawStatus === 'met');
    expect(passed).toHaveLength(summary['passed'] ?? -1);
    expect(tests.every(({ duration }) => Number.isInteger(duration))).toBe(true);
  });
});

describe('summary.md', () => {
  it('stands below 200 KiB however much failed, with failures before the tables', () => {
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
});

it('the share of pairs of conditions that were tried is all of them only if none is left out', () => {
  const shares = [99_999, 100_000].map((exercised) => pairShare({ possible: 100_000, exercised }));
  expect(shares).toEqual(['99.9 %', '100 %']);
});

describe('a flaky failure', () => {
  it('is told so in every file', () => {
    const second = { retry: { verdict: 'pass' as const, evidence: [], durationMs: 1 } };
    const flaky = aResult({ checkId: 'version/served', verdict: 'fail', observed: 'b', flaky: true, ...second });
    const report = judgedRun({ results: [flaky] });
    expect(report.exit.reasons[0]?.text).toContain('1 of them flaky: passed on retry');
    expect(renderHtml(report, [])).toContain('flaky: it failed, then passed on retry');
    expect(renderJunit(report)).toMatch(/name="flaky" value="true"\/>[\s\S]*message="flaky, passed on retry: /);
    expect(ctrfOf(report).tests[0]).toMatchObject({ status: 'failed', flaky: true, retries: 1 });
    expect(renderMarkdown(report)).toContain('| failed, flaky | version/served |');
  });
});
