import { describe, expect, it } from 'vitest';
import { requirementPattern } from '../../../../lib/judge/conformance/cause/failure.ts';
import { formerName } from '../../../../lib/judge/conformance/cause/older-records.ts';
import type { ConformanceResult } from '../../../../lib/records/conformance.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

const clear = anExchange({ id: 'x2', method: 'PUT', path: '/ers/config/ancendpoint/clear', operation: 'clear' });
const exchanges = new Map([anExchange(), clear].map((exchange) => [exchange.id, exchange]));
const formerly = (overrides: Partial<ConformanceResult>) => {
  const result = aResult({ verdict: 'fail', expected: 'a', observed: 'b', ...overrides });
  return formerName(result, requirementPattern(result), exchanges);
};
const quoted = 'PUT /ers/config/ancendpoint/clear answered 204, and it is there';

describe('the name of a cause in older versions', () => {
  it.each<[string, Partial<ConformanceResult>]>([
    ['FOP-EQ/records', { requirement: 'FOP-EQ', difference: { missing: [], extra: ['x'] } }],
    ['PAY-C/missing', { requirement: 'PAY-C', observed: 'description: absent' }],
    ['PAY-C/refused', { requirement: 'PAY-C', observed: 'POST /ers/config/node answered 400 {}' }],
    ['OP-*-U/value', { requirement: 'OP-node-U', family: 'node' }],
    ['SPC-ANC/clear/no-effect', { requirement: 'SPC-ANC', variant: 'clear-by-mac', observed: quoted }],
    ['SPC-ANC/clear/no-effect', { requirement: 'SPC-ANC', observed: quoted, evidence: ['x2'] }],
    ['SPC-ANC/apply/no-effect', { requirement: 'SPC-ANC', variant: 'apply-policy', observed: quoted }],
  ])('was %s by the words of its failures', (name, result) => {
    expect(formerly(result)).toBe(name);
  });

  it('is the same for a failure that says what it is about', () => {
    const about = { kind: 'value', operation: 'create', subject: 'member description' } as const;
    expect(formerly({ requirement: 'PAY-C', observed: 'description: absent', failure: about })).toBe('PAY-C/missing');
    const answer = { kind: 'accepted', operation: 'bulkMonitor', subject: 'bulk id' } as const;
    const observed = 'GET /ers/config/sgt/bulk/1 answered 200 {"a":1, and more}';
    expect(formerly({ requirement: 'SPC-BULK', observed, failure: answer })).toBe('SPC-BULK/bulkMonitor/accepted');
  });
});
