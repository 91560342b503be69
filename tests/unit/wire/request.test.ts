import { describe, expect, it } from 'vitest';
import { FAMILIES, familyNames } from '../../../lib/contract/families.ts';
import { OPS } from '../../../lib/contract/operations.ts';
import type { Family, FamilyTable, Op } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { buildRequest, rootKey } from '../../../lib/wire/request.ts';

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
