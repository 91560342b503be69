import { describe, expect, it } from 'vitest';
import type { ConformanceResult, ExchangeRecord } from '../../../lib/records/conformance.ts';
import { renderExport } from '../../../reports/export/files.ts';
import { fromEndpoints } from '../../../reports/export/from-endpoints.ts';
import { type Kept, stepsBefore } from '../../../reports/export/kept.ts';
import type { Script, Step } from '../../../reports/export/script.ts';

let count = 0;
function sent(path: string, requestBody: string, more: Partial<ExchangeRecord> = {}): ExchangeRecord {
  count += 1;
  return {
    ...{
      id: `e-${count}`,
      at: `2026-01-01T00:00:00.${String(count).padStart(3, '0')}Z`,
      family: path.split('/')[0] ?? '',
    },
    ...{ operation: 'read', method: 'PUT', path: `/ers/config/${path}`, requestHeaders: [], requestBody, status: 204 },
    ...{ responseHeaders: [], responseBody: '', bytes: 0, durationMs: 1, ...more },
  };
}
const keptOf = (writes: readonly ExchangeRecord[], names: ReadonlyMap<string, string> = new Map()): Kept => ({
  ...{ exchanges: new Map(), writes, names, made: new Set(names.keys()), creates: new Map() },
  placeOf: (address) => /^10\.0\.0\.(\d+)$|^02:00:00:00:00:0(\d)$/.exec(address)?.slice(1).find(Boolean),
});
const anc = (operation: string, address: string, policy = '') => {
  const kind = address.includes(':') ? 'macAddress' : 'ipAddress';
  const items = [{ name: kind, value: address }, ...(policy === '' ? [] : [{ name: 'policyName', value: policy }])];
  return sent(`anc/${operation}`, JSON.stringify({ OperationAdditionalData: { additionalData: items } }));
};
const about = (kind: string, operation: string, subject: string, expected = '') =>
  ({ failure: { kind, operation, subject }, expected, observed: '', evidence: [] }) as unknown as ConformanceResult;
const pathsOf = (steps: readonly Step[]) =>
  steps.map(({ path, body }) => `${path} ${/02:[\d:]+|10\.[\d.]+/.exec(body ?? '')?.[0] ?? ''}`.trim());

describe('steps of an exported program', () => {
  it('wait for a bulk request, and find what it made by its name', () => {
    const submit = sent('sgt/bulk/submit', '{"operationType":"create","name":"cfm-n1"}', {
      ...{ status: 202, responseHeaders: [['Location', 'https://x/ers/config/sgt/bulk/77']] },
    });
    const read = sent('sgt/id-1', '', { method: 'GET', status: 200 });
    const steps = stepsBefore(read, [read], [], keptOf([submit], new Map([['id-1', 'cfm-n1']])));
    expect(steps).toMatchObject([
      { method: 'PUT', creates: '77' },
      { path: '/ers/config/sgt/bulk/77', until: 'COMPLETED' },
      { path: '/ers/config/sgt?filter=name.EQ.cfm-n1', creates: 'id-1', from: 'list' },
    ]);
  });

  it('do what was done to the endpoint of a clear, by whichever address, and look for its record', () => {
    const writes = [
      anc('apply', '10.0.0.1', 'P'),
      anc('apply', '02:00:00:00:00:02', 'P'),
      anc('clear', '02:00:00:00:00:01'),
    ];
    const told = fromEndpoints(
      about('no-effect', 'clear', 'record', '02:00:00:00:00:01 to be cleared'),
      writes,
      keptOf(writes),
    );
    if (typeof told !== 'object') throw new Error(told);
    expect(pathsOf(told.setUp)).toEqual(['/ers/config/anc/apply 10.0.0.1', '/ers/config/anc/clear 02:00:00:00:00:01']);
    expect(told.request.path).toBe('/ers/config/anc?filter=name.EQ.02:00:00:00:00:01');
    expect(told.claims).toEqual([{ kind: 'holds', texts: ['"id"'], isThere: false }]);
  });

  it('put a policy on all endpoints that had one, if an apply is refused that was taken before', () => {
    const writes = [
      anc('apply', '02:00:00:00:00:01', 'P'),
      anc('apply', '02:00:00:00:00:02', 'P'),
      anc('clear', '02:00:00:00:00:02'),
    ];
    const last = { ...anc('apply', '02:00:00:00:00:03', 'P'), status: 500 };
    const told = fromEndpoints(about('refused', 'apply', 'request'), [last], keptOf(writes));
    expect(typeof told === 'object' && pathsOf(told.setUp)).toEqual(['/ers/config/anc/apply 02:00:00:00:00:01']);
  });
});

const STEP: Step = { method: 'GET', path: '/ers/config/sgt?size=2', headers: [], expects: 'taken' };
function scriptOf(request: Partial<Step>, setUp: readonly Step[] = []): Script {
  return {
    ...{
      cause: { id: 'C', title: 'a cause' } as Script['cause'],
      requirement: '',
      expected: '',
      observed: '',
      notes: [],
    },
    ...{
      setUp,
      request: { ...STEP, ...request },
      claims: [],
      cleanUp: [],
      variables: new Map(),
      prefix: 'cfm0000aabc',
    },
  };
}
const render = (script: Script, format: 'curl' | 'hurl') => renderExport([{ cause: script.cause, script }], format)[0];

describe('a format', () => {
  it('that cannot follow links says so', () => {
    expect(render(scriptOf({ walks: true }), 'hurl')).toMatchObject({
      name: '01-c.txt',
      why: expect.stringContaining('--format curl'),
    });
    expect(render(scriptOf({ walks: true }), 'curl')?.content).toContain('\nwalk GET ');
  });

  it('makes names anew, unless they are asked for in part or in other letters', () => {
    const made = { ...STEP, method: 'POST', body: '{"name":"cfm0000aabcx"}' };
    const contentOf = (path: string) => render(scriptOf({ path }, [made]), 'curl')?.content;
    expect(contentOf('/ers/config/sgt?filter=name.EQ.cfm0000aabcx')).not.toContain('cfm0000aabcx');
    expect(contentOf('/ers/config/sgt?filter=name.ENDSW.bcx')).toContain('cfm0000aabcx');
    expect(contentOf('/ers/config/sgt?filter=name.EQ.CFM0000AABCX')).toContain('"cfm0000aabcx"');
  });
});
