import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { ConformanceResult, ExchangeRecord } from '../../../lib/records/conformance.ts';
import { told } from '../../../reports/export/told.ts';

function get(path: string, operation: string, status: number, body: unknown): ExchangeRecord {
  return {
    ...{ id: path, at: '2026-01-01T00:00:00.000Z', family: path.split(/[/?]/)[0] ?? '', operation, method: 'GET' },
    ...{ path: `/ers/config/${path}`, requestHeaders: [], status, responseHeaders: [] },
    ...{ responseBody: JSON.stringify(body), bytes: 0, durationMs: 1 },
  };
}
const list = (family: string, entries: readonly object[]) =>
  get(family, 'list', 200, { SearchResult: { total: entries.length, resources: entries } });
function exported(
  sent: readonly ExchangeRecord[],
  failure: ConformanceResult['failure'],
  { expected = '', observed = '' } = {},
) {
  const exchanges = new Map(sent.map((one) => [one.id, one]));
  const result = { failure, requirement: '', expected, observed, evidence: [...exchanges.keys()] };
  const none = { writes: [], names: new Map(), made: new Set<string>(), placeOf: () => undefined };
  return told(result as unknown as ConformanceResult, undefined, {
    ...{ table: FAMILIES, everything: false, kept: { exchanges, ...none } },
  });
}
const NODES = list('node', [
  { id: 'node-id-1', name: 'one' },
  { id: 'node-id-2', name: 'two' },
]);

describe('a record of the deployment in an exported program', () => {
  it('is that of the list that gave its id, if no read finds it', () => {
    const refused = { kind: 'refused', operation: 'read', subject: 'record' } as const;
    expect(exported([NODES, get('node/node-id-2', 'read', 404, {})], refused)).toMatchObject({
      setUp: [{ path: '/ers/config/node', creates: 'node-id-2', from: 1 }],
      request: { path: '/ers/config/node/node-id-2', expects: 'taken' },
    });
  });

  it('has the id that a list gives under its name; what a read by id says of itself is no witness', () => {
    const wrong = { kind: 'value', operation: 'readByName', subject: 'member id' } as const;
    const byName = (id: string) => [NODES, get('node/name/two', 'readByName', 200, { Node: { id, name: 'two' } })];
    expect(exported(byName('node-id-1'), wrong, { expected: 'id "node-id-2", as by id' })).toMatchObject({
      claims: [{ member: 'id', value: 'node-id-2' }],
    });
    expect(exported(byName('node-id-2'), wrong, { expected: 'id "node-id-1", as by id' })).toEqual(expect.any(String));
  });

  it('is asked for as in the answer that the failure tells of, and not as in the control after it', () => {
    const read = (id: string, status: number, type: string): ExchangeRecord => ({
      ...{ ...get('node/node-id-2', 'read', status, {}), id },
      requestHeaders: [['Accept', type]],
    });
    const sent = [read('first', 406, 'text/plain'), read('control', 200, 'application/json')];
    const refused = { kind: 'refused', operation: 'read', subject: 'media type text/plain' } as const;
    const observed = 'GET /ers/config/node/node-id-2 answered 406 "no"';
    expect(exported(sent, refused, { observed })).toMatchObject({ request: { headers: [['Accept', 'text/plain']] } });
  });
});
