import { describe, expect, it } from 'vitest';
import { type AncPair, ancBody, servedOfGroup } from './ask.ts';

const OTHER_TYPE = { 'ERS-Media-Type': 'portal.portaltheme.1.0' };
const XML = { 'Content-Type': 'application/xml' };
/** Body of a security group that is valid but for the given members. */
const sgt = (fields: object) => ({ Sgt: { name: 'bad', value: 500, ...fields } });
const portal = (fields: object) => ({ HotspotPortal: { name: 'bad', portalType: 'HOTSPOTGUEST', ...fields } });

type Row = readonly [
  what: string,
  status: number,
  names: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
];

const MAC: AncPair = ['macAddress', '02:00:00:00:00:01'];
const anc = (what: string, names: string, op: 'apply' | 'clear', ...pairs: readonly AncPair[]): Row => {
  return [what, 400, names, 'PUT', `ancendpoint/${op}`, ancBody(...pairs)];
};
const bulk = (what: string, members: object): Row => {
  return [what, 400, 'operationType', 'PUT', 'sgt/bulk/submit', { SgtBulkRequest: members }];
};

/** What is sent, the status it is refused with, and what the message names. */
const BAD_INPUT: readonly Row[] = [
  ['malformed JSON', 400, 'JSON', 'POST', 'sgt', '{"Sgt":'],
  ['an empty body', 400, 'empty', 'POST', 'sgt', ''],
  ['malformed XML', 400, 'XML', 'POST', 'sgt', '<sgt><value>1</sgt>', XML],
  ['an XML document type', 400, 'document type', 'POST', 'sgt', '<!DOCTYPE x [<!ENTITY a "b">]><sgt name="&a;"/>', XML],
  ['a wrong JSON root', 400, 'PortalTheme', 'POST', 'sgt', { PortalTheme: { name: 'bad' } }],
  ['a root that holds no object', 400, 'Sgt', 'POST', 'sgt', { Sgt: 'x' }],
  ['a number for a text', 400, 'description', 'POST', 'sgt', sgt({ description: 5 })],
  ['a text for a number', 400, 'value', 'POST', 'sgt', sgt({ value: 'many' })],
  ['an unknown member', 400, 'colour', 'POST', 'sgt', sgt({ colour: 'red' })],
  ['value -2', 400, 'value', 'POST', 'sgt', sgt({ value: -2 })],
  ['a portalType outside the list', 400, 'portalType', 'POST', 'hotspotportal', portal({ portalType: 'GUEST' })],
  ['a missing member', 400, 'portalType', 'POST', 'hotspotportal', { HotspotPortal: { name: 'bad' } }],
  ['a duplicate name', 400, 'name', 'POST', 'sgt', sgt({ name: 'Employees' })],
  ['a duplicate value', 400, 'value', 'POST', 'sgt', sgt({ value: 99 })],
  ['an unknown filter field', 400, 'colour', 'GET', 'sgt?filter=colour.EQ.red'],
  ['an unknown operator', 400, 'EQUALS', 'GET', 'sgt?filter=name.EQUALS.x'],
  ['a malformed triplet', 400, 'field.OPERATOR.value', 'GET', 'sgt?filter=name'],
  ['a filter value of the wrong type', 400, 'value', 'GET', 'sgt?filter=value.GT.many'],
  ['both sort directions', 400, 'sortdsc', 'GET', 'sgt?sortasc=name&sortdsc=name'],
  ['a filterType that is neither', 400, 'filterType', 'GET', 'sgt?filterType=XOR'],
  ['page 0', 400, 'page', 'GET', 'sgt?page=0'],
  ['a page past the end', 400, 'page', 'GET', 'sgt?page=999'],
  ['size 0', 400, 'size', 'GET', 'sgt?size=0'],
  ['a size over the limit', 400, 'size', 'GET', 'sgt?size=101'],
  ['a broken escape', 400, 'percent', 'GET', 'sgt?filter=name.EQ.%zz'],
  ['a body over the limit', 413, '1048576', 'POST', 'sgt', sgt({ description: 'x'.repeat(1024 * 1024) })],
  ['an unknown id', 404, 'no-such-id', 'GET', 'sgt/no-such-id'],
  ['an update of an unknown id', 404, 'no-such-id', 'PUT', 'sgt/no-such-id', sgt({})],
  ['a delete of an unknown id', 404, 'no-such-id', 'DELETE', 'sgt/no-such-id'],
  ['an unknown node name', 404, 'no-such-node', 'GET', 'node/name/no-such-node'],
  ['an unknown bulk id', 404, '12345', 'GET', 'sgt/bulk/12345'],
  ['an unknown family', 404, 'nothing', 'GET', 'nothing'],
  ['a method no path has', 405, 'PATCH', 'PATCH', 'sgt/1', sgt({})],
  ['a create where there is none', 405, 'POST', 'POST', 'node', {}],
  ['a delete through the view', 405, 'DELETE', 'DELETE', 'portal/1'],
  ['an update where there is none', 405, 'PUT', 'PUT', 'sxpvpns/1', {}],
  ['a type that is neither', 415, 'text/csv', 'POST', 'sgt', 'name,value', { 'Content-Type': 'text/csv' }],
  ['an encoded body', 415, 'gzip', 'POST', 'sgt', sgt({}), { 'Content-Encoding': 'gzip' }],
  ['an Accept that admits neither', 415, 'accept', 'GET', 'sgt', undefined, { Accept: 'text/html' }],
  ['the media type of another family', 415, 'ers-media-type', 'GET', 'sgt', undefined, OTHER_TYPE],
  anc('an apply without items', 'additionalData', 'apply'),
  anc('an unknown item', 'additionalData', 'apply', ['colour', 'red']),
  anc('an apply without an address', 'macAddress', 'apply', ['policyName', 'HARNESS_MONITOR']),
  anc('an apply without a policy', 'policyName', 'apply', MAC),
  anc('an unknown policy', 'NoSuch', 'apply', MAC, ['policyName', 'NoSuch']),
  anc('a malformed MAC address', 'macAddress', 'clear', ['macAddress', '0200']),
  anc('an IP address without a session', 'ipAddress', 'clear', ['ipAddress', '10.0.1.0']),
  bulk('a bulk request without its operation', { resourceMediaType: 'x' }),
  bulk('an unknown bulk operation', { operationType: 'x', resourceMediaType: 'x' }),
  ...['constructor', 'toString', '__proto__', 'hasOwnProperty'].map((member): Row => {
    const body = `{"Sgt":{"name":"bad","value":777,"${member}":1}}`;
    return [`the member ${member}`, 400, `Unrecognized field '${member}'`, 'POST', 'sgt', body];
  }),
  ...['.', '..', 'versioninfo', 'bulk', 'name'].map((id): Row => {
    const body = { BYODPortal: { id, name: 'bad', portalType: 'BYOD' } };
    return [`the id ${id}, which no path can carry`, 400, '[id]', 'POST', 'byodportal', body];
  }),
];

describe('the reference deployment refuses bad input with a message that names it', () => {
  const served = servedOfGroup();
  const total = async () => (await served.ask('GET', 'sgt')).json().SearchResult.total;

  for (const [what, status, names, method, path, body, headers] of BAD_INPUT) {
    it(`refuses ${what} with ${status}`, async () => {
      const before = await total();
      const reply = await served.ask(method, path, body, headers);
      expect(reply.status).toBe(status);
      expect(reply.headers['content-type']).toContain('application/json');
      const { messages } = reply.json().ERSResponse;
      expect(messages[0].title).toContain(names);
      expect(reply.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
      expect(await total()).toBe(before);
    });
  }

  it('says errors in XML where XML is accepted', async () => {
    const reply = await served.ask('GET', 'sgt/no-such-id', undefined, { Accept: 'application/xml' });
    expect(reply.headers['content-type']).toContain('application/xml');
    expect(reply.text).toMatch(/<ns0:ersResponse [^>]*>.*<title>[^<]*no-such-id/);
  });

  it('takes a JSON object under any type that does not contain application/xml', async () => {
    for (const type of ['text/plain', 'application/octet-stream', 'application/vnd.example+json']) {
      const reply = await served.ask('POST', 'sgt', sgt({ name: `typed-${type.length}`, value: -1 }), {
        'Content-Type': type,
      });
      expect([type, reply.status]).toEqual([type, 201]);
      await served.ask('DELETE', `sgt/${reply.id()}`);
    }
  });

  it('refuses an update whose body names another record', async () => {
    const reply = await served.ask('POST', 'sgt', sgt({ name: 'two-ids', value: -1 }));
    const refused = await served.ask('PUT', `sgt/${reply.id()}`, sgt({ id: 'other', name: 'renamed' }));
    expect(refused.status).toBe(400);
    expect((await served.ask('GET', `sgt/${reply.id()}`)).json().Sgt.name).toBe('two-ids');
  });
});
