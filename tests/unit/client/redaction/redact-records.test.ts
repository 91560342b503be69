import { describe, expect, it } from 'vitest';
import { redactedWriter, redactor } from '../../../../lib/client/redaction/redact.ts';
import type { ConformanceResult } from '../../../../lib/records/conformance.ts';
import type { RunWriter } from '../../../../lib/records/folder/writer.ts';
import type { RunHeader } from '../../../../lib/records/run.ts';
import { aHeader, aResult } from '../../../helpers/a-run.ts';

describe('the writer of a run', () => {
  it('lets no password through that a target echoed, in the first try of a check or in the second', () => {
    const written: ConformanceResult[] = [];
    const inner = { result: (result: ConformanceResult) => void written.push(result) } as unknown as RunWriter;
    const writer = redactedWriter(inner, () => redactor({ username: 'tester', password: 'canary-4711' }));
    const echoed = 'status 500, "canary-4711"';
    const second = { expected: echoed, observed: echoed, reason: echoed, evidence: ['e2'], durationMs: 1 };
    writer.result(aResult({ verdict: 'fail', observed: echoed, retry: { verdict: 'fail', ...second } }));
    expect(JSON.stringify(written)).not.toContain('canary-4711');
    expect(written[0]?.retry).toMatchObject({ verdict: 'fail', evidence: ['e2'], durationMs: 1 });
  });

  it('lets no login through that stands in an option', () => {
    const written: RunHeader[] = [];
    const inner = { header: (header: RunHeader) => void written.push(header) } as unknown as RunWriter;
    const outputs = ['influxdb=http://me:canary-4711@host/db?token=canary-4712&password=canary-4713'];
    const options = { ...aHeader().options, 'k6-out': { value: outputs, from: 'flag' } } as RunHeader['options'];
    redactedWriter(inner, () => redactor(null)).header(aHeader({ options }));
    expect(written).toHaveLength(1);
    expect(JSON.stringify(written)).not.toMatch(/canary/);
  });
});
