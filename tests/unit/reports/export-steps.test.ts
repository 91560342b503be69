import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { ConformanceResult, ExchangeRecord } from '../../../lib/records/conformance.ts';
import type { Grounds } from '../../../lib/records/histories.ts';
import { isTaken } from '../../../lib/records/rests-on.ts';
import { renderExport } from '../../../reports/export/files.ts';
import { type Script, type Step, TOKEN } from '../../../reports/export/script.ts';
import { exchangeStep, type Kept, stepsBefore } from '../../../reports/export/steps.ts';
import { told } from '../../../reports/export/told.ts';
import { anExchange } from '../../helpers/a-run.ts';

let count = 0;
function sent(path: string, requestBody: string, more: Partial<ExchangeRecord> = {}): ExchangeRecord {
  count += 1;
  return anExchange({
    ...{ id: `e-${count}`, at: `2026-01-01T00:00:00.${String(count).padStart(3, '0')}Z` },
    ...{ family: path.split(/[/?]/)[0] ?? '', method: 'PUT', path: `/ers/config/${path}` },
    ...{ requestHeaders: [], requestBody, status: 204, responseHeaders: [], responseBody: '', ...more },
  });
}
const at = (place: string): Partial<ExchangeRecord> => ({
  responseHeaders: [['Location', `https://x/ers/config/sgt/${place}`]],
});
const keptOf = (sent: readonly ExchangeRecord[], names: ReadonlyMap<string, string> = new Map()): Kept => ({
  ...{ exchanges: new Map(sent.map((one) => [one.id, one])), writes: sent.filter(isTaken) },
  ...{ names, made: new Set(names.keys()) },
  placeOf: (address) => /^10\.0\.0\.(\d+)$|^02:00:00:00:00:0(\d)$/.exec(address)?.slice(1).find(Boolean),
});
const [ONE, TWO] = ['02:00:00:00:00:01', '02:00:00:00:00:02'];
const anc = (operation: string, address: string, policy = '') => {
  const kind = address.includes(':') ? 'macAddress' : 'ipAddress';
  const items = [{ name: kind, value: address }, ...(policy === '' ? [] : [{ name: 'policyName', value: policy }])];
  const body = JSON.stringify({ OperationAdditionalData: { additionalData: items } });
  return sent(`anc/${operation}`, body, { operation });
};
function toldOf(evidence: readonly ExchangeRecord[], failure: Failure, expected = '', all = evidence, observed = '') {
  const result = { failure, requirement: '', expected, observed, evidence: evidence.map(({ id }) => id) };
  const is = told(result as unknown as ConformanceResult, undefined, {
    ...{ table: FAMILIES, everything: false, kept: keptOf(all) },
  });
  if (typeof is === 'string') throw new Error(is);
  return is;
}
type Failure = NonNullable<ConformanceResult['failure']>;
const refused = (operation: string, subject: Failure['subject']): Failure => ({ kind: 'refused', operation, subject });
const pathsOf = (steps: readonly Step[]) =>
  steps.map(({ path, body }) => `${path} ${/02:[\d:]+|10\.[\d.]+/.exec(body ?? '')?.[0] ?? ''}`.trim());

const got = (path: string, operation: string, status: number, body: unknown, more: Partial<ExchangeRecord> = {}) =>
  sent(path, '', { method: 'GET', operation, status, responseBody: JSON.stringify(body), ...more });
function listed(family: string, names: readonly string[], more: Partial<ExchangeRecord> = {}) {
  const resources = names.map((name) => ({ id: `${family}-id-${name}`, name }));
  return got(family, 'list', 200, { SearchResult: { total: names.length, resources } }, more);
}

describe('a record of the deployment in an exported program', () => {
  const nodes = listed('node', ['one', 'two']);

  it('is that of the list that gave its id, if no read finds it', () => {
    expect(toldOf([nodes, got('node/node-id-two', 'read', 404, {})], refused('read', 'record'))).toMatchObject({
      setUp: [{ path: '/ers/config/node', creates: 'node-id-two', from: 1 }],
      request: { path: '/ers/config/node/node-id-two', expects: 'taken' },
    });
  });

  it('has the id that a list gives under its name; what a read by id says of itself is no witness', () => {
    const wrong: Failure = { kind: 'value', operation: 'readByName', subject: 'member id' };
    const byName = (id: string) => [nodes, got('node/name/two', 'readByName', 200, { Node: { id, name: 'two' } })];
    expect(toldOf(byName('node-id-one'), wrong, 'id "node-id-two", as by id').claims).toMatchObject([
      { member: 'id', value: 'node-id-two' },
    ]);
    expect(() => toldOf(byName('node-id-two'), wrong, 'id "node-id-one", as by id')).toThrow('in one answer');
  });
});

describe('steps of an exported program', () => {
  it('read what a create left out of its record', () => {
    const made = sent('sgt', '<sgt description="a"/>', {
      method: 'POST',
      operation: 'create',
      status: 201,
      ...at('id-9'),
    });
    const evidence = [made, got('sgt/id-9', 'read', 200, { Sgt: { id: 'id-9' } })];
    const lost: Failure = { kind: 'missing', operation: 'create', subject: 'member description' };
    expect(toldOf(evidence, lost)).toMatchObject({
      setUp: [{ method: 'POST', body: '<sgt description="a"/>', creates: 'id-9' }],
      request: { method: 'GET', path: '/ers/config/sgt/id-9' },
      claims: [{ kind: 'member', member: 'description' }],
    });
    // What it did not send is of its own answer.
    expect(() => toldOf(evidence, { ...lost, subject: 'member link' })).toThrow('in one answer');
    expect(toldOf(evidence, { ...lost, subject: 'header Location' }).request.method).toBe('POST');
  });

  it('wait for a bulk request, and find what it made by its name', () => {
    const body = '{"operationType":"create","name":"cfm-n1"}';
    const submit = sent('sgt/bulk/submit', body, { status: 202, ...at('bulk/77') });
    const read = got('sgt/id-1', 'read', 200, {});
    const before = { shows: read, sent: [], named: [read], writes: [], isRefused: false };
    expect(stepsBefore(before, keptOf([submit], new Map([['id-1', 'cfm-n1']])))).toMatchObject([
      { method: 'PUT', creates: '77' },
      { path: '/ers/config/sgt/bulk/77', until: 'COMPLETED' },
      { path: '/ers/config/sgt?filter=name.EQ.cfm-n1', creates: 'id-1', from: 0, name: 'cfm-n1' },
    ]);
  });

  it('do what was done to the endpoint of a clear, by whichever address, and look for its record', () => {
    const writes = [anc('apply', '10.0.0.1', 'P'), anc('apply', TWO, 'P'), anc('clear', ONE)];
    const cleared: Failure = { kind: 'no-effect', operation: 'clear', subject: 'record' };
    const is = toldOf(writes.slice(2), cleared, `${ONE} to be cleared`, writes);
    expect(pathsOf(is.setUp)).toEqual(['/ers/config/anc/apply 10.0.0.1', `/ers/config/anc/clear ${ONE}`]);
    expect(is.request.path).toBe('/ers/config/anc?filter=name.EQ.02%3A00%3A00%3A00%3A00%3A01');
    expect(is.claims).toEqual([{ kind: 'holds', texts: ['"id"'], isThere: false }]);
  });

  it('put a policy on all endpoints that had one, if an apply is refused that was taken before', () => {
    const writes = [anc('apply', ONE, 'P'), anc('apply', TWO, 'P'), anc('clear', TWO)];
    const last = { ...anc('apply', '02:00:00:00:00:03', 'P'), status: 500 };
    const is = toldOf([last], refused('apply', 'request'), '', [...writes, last]);
    expect(pathsOf(is.setUp)).toEqual([`/ers/config/anc/apply ${ONE}`]);
  });

  it('are sent with the headers of the run, but for its token', () => {
    const headers = { 'ERS-Media-Type': 'a.b.1.0', Cookie: '[redacted]' };
    const headersOf = (token: string) => {
      const requestHeaders = Object.entries({ ...headers, 'X-CSRF-TOKEN': token });
      return Object.fromEntries(exchangeStep(sent('sgt', '', { requestHeaders })).headers);
    };
    expect(headersOf('fetch')).toEqual({ 'ERS-Media-Type': 'a.b.1.0', 'X-CSRF-TOKEN': 'fetch' });
    expect(headersOf('[redacted]')).toEqual({ 'ERS-Media-Type': 'a.b.1.0', 'X-CSRF-TOKEN': TOKEN });
  });

  it('ask for the end of a bulk request if the run did, before the next one', () => {
    const submit = (id: string) => sent('sgt/bulk/submit', '{}', { status: 202, ...at(`bulk/${id}`) });
    const status = (id: string, says: string, code = 200) => got(`sgt/bulk/${id}`, 'bulkMonitor', code, says);
    const ended = [submit('71'), status('71', 'IN_PROGRESS'), status('71', 'COMPLETED'), submit('72')];
    const evidence = [...ended, status('72', 'COMPLETED'), status('71', '', 404)];
    const is = toldOf(evidence, refused('bulkMonitor', 'bulk id'));
    const asked = is.setUp.map(({ path, until = '' }) => `${path.split('/').at(-1)} ${until}`.trim());
    expect(asked).toEqual(['submit', '71 COMPLETED', 'submit', '72 COMPLETED']);
  });

  it('end with the refusal that the failure tells of, and not with a later one', () => {
    const read = (query: string, status: number) => got(`sgt/id-1${query}`, 'read', status, {});
    const evidence = [read('?x=1', 400), read('', 200), read('', 404)];
    const observed = 'GET /ers/config/sgt/id-1?x=1 answered 400 "no"';
    const is = toldOf(evidence, refused('read', 'parameter unknown'), '', evidence, observed);
    expect(is.request.path).toBe('/ers/config/sgt/id-1?x=1');
  });

  it('claim of a list with a header that it shows what the one without it shows', () => {
    const whole = () => listed('sgt', ['one', 'two']);
    const requestHeaders: [string, string][] = [['ERS-Media-Type', 'a.b.1.0']];
    const evidence = [whole(), listed('sgt', ['one'], { requestHeaders }), whole()];
    const is = toldOf(evidence, { kind: 'value', operation: 'list', subject: 'header ersMediaType' });
    expect(is.request.headers).toEqual(requestHeaders);
    expect(is.claims).toEqual([{ kind: 'holds', texts: ['sgt-id-two'], isThere: true }]);
  });
});

describe('a walk that the history of a run shows wrong', () => {
  const NAMES = ['alpha', 'beta', 'gamma'];
  const write = (name: string) =>
    ({ kind: 'create', family: 'sgt', id: `id-${name}`, sent: { name }, form: 'json', end: 'done' }) as const;
  const entry = (id: string, record: Record<string, unknown> = {}) => ({ id, record });
  const others = [1, 2, 3, 4].map((number) => entry(`other-${number}`));
  const grounds: Grounds = {
    facts: {},
    writes: NAMES.map(write),
    observation: {
      question: { window: 'list', family: 'sgt', filters: [], sort: { field: 'name', descending: false } },
      shown: { pages: [others, NAMES.toReversed().map((name) => entry(`id-${name}`, { name }))], end: 'whole' },
    },
  };
  const page = (query: string) => got(`sgt?sortasc=name${query}`, 'list', 200, {});
  const creates = NAMES.map((name) =>
    sent('sgt', JSON.stringify({ Sgt: { name } }), { method: 'POST', status: 201, ...at(`id-${name}`) }),
  );
  const is = (given: Grounds, evidence: readonly ExchangeRecord[]) =>
    told({ evidence: evidence.map(({ id }) => id) } as unknown as ConformanceResult, given, {
      ...{ table: FAMILIES, everything: false, kept: keptOf([...creates, ...evidence]) },
    });

  it('is asked for as it was, behind the writes, in pages that the records of the file fill', () => {
    const walk = is(grounds, [page(''), page('&page=2')]);
    expect(walk).toMatchObject({
      request: { path: '/ers/config/sgt?sortasc=name&size=1', walks: true },
      setUp: NAMES.map((name) => ({ creates: `id-${name}` })),
      claims: [{ texts: ['id-beta', 'id-gamma'] }, { texts: ['id-alpha', 'id-beta'] }],
    });
  });

  it('claims of a record that another one was written to what it has to keep', () => {
    const kept: Grounds = {
      facts: { latest: 'sgt/id-beta' },
      writes: [
        { ...write('alpha'), sent: { description: 'first' } },
        ...[write('beta'), { ...write('beta'), kind: 'update' as const, sent: { description: 'changed' } }],
      ],
      observation: {
        question: { window: 'read', family: 'sgt', id: 'id-alpha', form: 'json' },
        shown: { status: 200, form: 'json', record: { id: 'id-alpha', description: 'changed' } },
      },
    };
    const update = sent('sgt/id-beta', '{}', { status: 200 });
    const read = got('sgt/id-alpha', 'read', 200, {});
    expect(is(kept, [update, read])).toMatchObject({
      setUp: [{ creates: 'id-alpha' }, { creates: 'id-beta' }, { method: 'PUT' }],
      claims: [{ member: 'description', value: 'first' }],
    });
  });
});

const STEP: Step = { method: 'GET', path: '/ers/config/sgt?size=2', headers: [], expects: 'taken' };
function scriptOf(request: Partial<Step>, setUp: readonly Step[] = []): Script {
  const cause = { id: 'C', title: 'a cause' } as Script['cause'];
  return {
    ...{ cause, requirement: '', expected: '', observed: '', notes: [], setUp, request: { ...STEP, ...request } },
    ...{ claims: [], cleanUp: [], variables: new Map(), prefix: 'cfm0000aabc' },
  };
}
const render = (script: Script, format: 'curl' | 'hurl') => renderExport([{ cause: script.cause, script }], format)[0];

describe('a format', () => {
  it('that cannot follow links says so', () => {
    const why = expect.stringContaining('--format curl');
    expect(render(scriptOf({ walks: true }), 'hurl')).toMatchObject({ name: '01-c.txt', why });
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
