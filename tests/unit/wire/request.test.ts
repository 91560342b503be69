import { describe, expect, it } from 'vitest';
import { ANC_OPERATION_NAMES, ANC_OPERATIONS } from '../../../lib/contract/anc.ts';
import { FAMILIES, familyNames } from '../../../lib/contract/families.ts';
import { OPS } from '../../../lib/contract/operations.ts';
import type { Family, FamilyTable, Op } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { ancFamily, ancFields, ancRequests } from '../../../lib/wire/anc.ts';
import { ipOf, macOf, permutation } from '../../../lib/wire/endpoint.ts';
import { encodeQuery, listQueryPairs } from '../../../lib/wire/query.ts';
import { buildRequest, rootKey } from '../../../lib/wire/request.ts';
import { k6Rate, periodNs } from '../../../lib/wire/scenario.ts';

const TABLE: FamilyTable = FAMILIES;
const IDS = { id: 'i-1', name: 'n 1', bulkId: '1615791703003' };
const cells = familyNames(FAMILIES).flatMap((name) => (TABLE[name]?.ops ?? []).map((op): [string, Op] => [name, op]));

describe('the request of an operation', () => {
  it.each(cells)('of %s %s has the method, path and headers of the tables', (name, op) => {
    const headers = { ersMediaType: 'x', csrfToken: 'token' };
    const request = buildRequest(TABLE, name, op, { ...IDS, headers });
    const below = OPS[op].path.replace('{id}', 'i-1').replace('{name}', 'n%201').replace('{bulkid}', IDS.bulkId);
    expect(request).toMatchObject({ family: name, op, method: OPS[op].method, path: `/ers/config/${name}${below}` });
    const narrow = ['version', 'bulkSubmit', 'bulkMonitor'].includes(op);
    expect('X-CSRF-TOKEN' in request.headers).toBe(!narrow);
    expect('ERS-Media-Type' in request.headers).toBe(!narrow);
    expect(request.headers).toMatchObject({ 'Content-Type': 'application/json', Accept: 'application/json' });
    expect(request.body !== undefined).toBe(OPS[op].body !== null);
  });

  it('refuses an operation that the family lacks, when it is compiled and when it is run', () => {
    // @ts-expect-error SMS providers have no read
    expect(() => buildRequest(FAMILIES, 'smsprovider', 'read', { id: '1' })).toThrow('has no operation read');
  });

  it('refuses a path parameter that is missing, empty or a dot segment', () => {
    expect(() => buildRequest(FAMILIES, 'sgt', 'delete', { id: '' })).toThrow(/id/);
    expect(() => buildRequest(FAMILIES, 'sgt', 'bulkMonitor')).toThrow('bulkMonitor on sgt needs bulkid');
  });

  it('takes the bulk root for a bulk submit and the common root for apply and clear', () => {
    const fields = { operationType: 'delete', resourceMediaType: 'json' };
    const bulk = buildRequest(FAMILIES, 'sxpvpns', 'bulkSubmit', { fields });
    expect(JSON.parse(bulk.body ?? '')).toEqual({ VpnBulkRequest: fields });
    expect(rootKey(FAMILIES.ancendpoint, 'clear')).toBe('OperationAdditionalData');
    expect(rootKey(FAMILIES.ancendpoint, 'read')).toBeNull();
  });

  it('sends a wrong root key or none when a check asks for it', () => {
    const fields = { name: 'a' };
    expect(buildRequest(FAMILIES, 'sgt', 'create', { fields, root: 'Wrong' }).body).toBe('{"Wrong":{"name":"a"}}');
    expect(buildRequest(FAMILIES, 'sgt', 'create', { fields, root: null }).body).toBe('{"name":"a"}');
  });

  it('sends only headers that were asked for and leaves out those set to null', () => {
    const { headers } = buildRequest(FAMILIES, 'sgt', 'list', { headers: { accept: null, contentType: 'text/plain' } });
    expect(headers).toEqual({ 'Content-Type': 'text/plain' });
  });

  it('names the body XML in the element the operation takes', () => {
    const xml = (op: 'create' | 'bulkSubmit', root?: string): string =>
      buildRequest(FAMILIES, 'sgt', op, { format: 'xml', ...defined({ root }) }).body ?? '';
    expect(xml('create')).toContain('<ns0:sgt xmlns:ns0="trustsec.ers.ise.cisco.com">');
    expect(xml('bulkSubmit')).toContain('<ns0:sgtBulkRequest ');
    expect(xml('create', 'PortalTheme')).toContain('<ns0:portalTheme ');
  });

  it('refuses a table whose family has a body operation and no root key for it', () => {
    const rootless: Family = { ...FAMILIES.sgt, roots: {} };
    expect(() => buildRequest({ rootless }, 'rootless', 'create')).toThrow('has no root key for create');
  });
});

describe('the query of a list', () => {
  it('sends page 0 and size 0, and nothing that was not asked for', () => {
    expect(encodeQuery(listQueryPairs({ page: 0, size: 0 }))).toBe('?size=0&page=0');
    expect(encodeQuery(listQueryPairs({ filters: [] }))).toBe('');
  });

  it('spells the joining parameter as the target takes it', () => {
    const pairs = listQueryPairs({ join: 'or' }, { name: 'filtertype', or: 'OR' });
    expect(encodeQuery(pairs)).toBe('?filtertype=OR');
    expect(encodeQuery(listQueryPairs({ join: 'and' }))).toBe('?filterType=AND');
  });

  it('passes extra parameters through on any operation, before and after the listed ones', () => {
    const input = { id: 'x', list: { size: 1 }, extra: ['a b', '2'].map((value) => ['trace', value] as const) };
    expect(buildRequest(FAMILIES, 'sgt', 'list', input).path).toMatch(/\?trace=a%20b&size=1&trace=2$/);
    expect(buildRequest(FAMILIES, 'sgt', 'version', input).path).toMatch(/versioninfo\?trace=a%20b&trace=2$/);
    expect(buildRequest(FAMILIES, 'sgt', 'delete', input).path).toMatch(/\/x\?trace=/);
  });

  it('ignores a list query on an operation that takes none', () => {
    expect(buildRequest(FAMILIES, 'sgt', 'read', { id: 'x', list: { size: 1 } }).path).toBe('/ers/config/sgt/x');
  });
});

const TARGET = { macAddress: macOf(258), ipAddress: ipOf(258), policyName: 'quarantine' };

describe('the ANC operations on the wire', () => {
  it.each(ANC_OPERATION_NAMES)('sends %s as name and value pairs to its path', (operation) => {
    const { op, items } = ANC_OPERATIONS[operation];
    const request = buildRequest(FAMILIES, 'ancendpoint', op, { fields: ancFields(operation, TARGET) });
    expect(request.path).toBe(`/ers/config/ancendpoint/${operation.startsWith('apply') ? 'apply' : 'clear'}`);
    expect(JSON.parse(request.body ?? '')).toEqual({
      OperationAdditionalData: { additionalData: items.map((name) => ({ name, value: TARGET[name] })) },
    });
  });

  it.each(ANC_OPERATION_NAMES)('sends many of %s as it would send each of them', (operation) => {
    const { op } = ANC_OPERATIONS[operation];
    const { bodyOf, ...rest } = ancRequests(FAMILIES, 'ancendpoint', operation);
    const request = buildRequest(FAMILIES, 'ancendpoint', op, { fields: ancFields(operation, TARGET) });
    expect(request).toEqual(expect.objectContaining({ ...rest, body: bodyOf(TARGET) }));
  });

  it('refuses a target that lacks what the operation needs', () => {
    expect(() => ancFields('apply-by-ip', { macAddress: macOf(1) })).toThrow('apply-by-ip needs ipAddress');
  });

  it('finds the family that applies policies in the table', () => {
    expect(ancFamily(FAMILIES)).toBe('ancendpoint');
    expect(ancFamily({ sgt: FAMILIES.sgt })).toBeUndefined();
  });
});

it('the endpoints of a pool refuses to permute a pool without endpoints or one too large to be exact', () => {
  for (const size of [0, -1, 1.5, Number.NaN, 2 ** 26 + 1]) expect(() => permutation(size)).toThrow(RangeError);
});

describe('what a scenario and its reader agree on', () => {
  it('takes 4 ms between arrivals at the published rate and cuts the fraction where there is one', () => {
    expect([periodNs(250), periodNs(300), periodNs(1000)]).toEqual([4_000_000, 3_333_333, 1_000_000]);
  });

  it('tells k6 a rate of tenths in a longer unit of time', () => {
    expect([k6Rate(250), k6Rate(62.5)]).toEqual([
      { rate: 250, timeUnit: '1s' },
      { rate: 625, timeUnit: '10s' },
    ]);
    expect([periodNs(62.5), periodNs(33.3), periodNs(12.8)]).toEqual([16_000_000, 30_030_030, 78_125_000]);
  });
});
