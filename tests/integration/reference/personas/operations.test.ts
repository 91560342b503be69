import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ancBody, BASIC, group, LOGIN, names, refused, withRules } from '../ask.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('the rules on operations', () => {
  it('accept: needs Accept, and Content-Type with a body', async () => {
    const { ask } = await withRules('accept');
    const any = await ask('GET', 'sgt', undefined, { Accept: '*/*' });
    expect([any.status, any.headers['content-type']]).toEqual([415, 'application/xml;charset=utf-8']);
    expect(any.text).toContain('<messages>');
    expect((await ask('GET', 'sgt', undefined, { Accept: '' })).status).toBe(415);
    expect((await ask('POST', 'sgt', group('a'), { 'Content-Type': '' })).status).toBe(415);
    expect((await ask('GET', 'sgt', undefined, { Authorization: 'Basic x', Accept: '*/*' })).status).toBe(401);
    expect((await ask('POST', 'sgt', group('a'))).status).toBe(201);
  });

  it('deletetype: deletes with Content-Type: application/json only', async () => {
    const { ask } = await withRules('deletetype');
    const id = (await ask('POST', 'sgt', group('a'))).id();
    expect((await ask('DELETE', `sgt/${id}`)).status).toBe(415);
    expect((await ask('DELETE', `sgt/${id}`, undefined, { 'Content-Type': 'application/xml' })).status).toBe(415);
    expect((await ask('GET', `sgt/${id}`)).status).toBe(200);
    expect((await ask('DELETE', `sgt/${id}`, undefined, JSON_TYPE)).status).toBe(204);
  });

  it('mediatype: refuses versions that the family does not have', async () => {
    const { ask } = await withRules('mediatype');
    expect((await ask('GET', 'sgt', undefined, { 'ERS-Media-Type': 'trustsec.sgt.9.9' })).status).toBe(415);
    expect((await ask('GET', 'sgt', undefined, { 'ERS-Media-Type': 'trustsec.sgt.1.0' })).status).toBe(200);
  });

  it('bulk: JSON carries no resources, and one request runs at a time', async () => {
    const { ask } = await withRules('bulk');
    const members = { operationType: 'create', resourceMediaType: 'vnd.com.cisco.ise.trustsec.sgt.1.0+xml' };
    const submit = (more: object) => ask('PUT', 'sgt/bulk/submit', { SgtBulkRequest: { ...members, ...more } });
    expect((await submit({ resourcesList: [{ name: 'a', value: 4000 }] })).status).toBe(400);
    const taken = await submit({});
    expect([taken.status, taken.headers.location]).toEqual([202, expect.stringMatching(/\/bulk\/submit\/\d+$/)]);
    const second = await submit({});
    expect([second.status, second.headers['retry-after']]).toEqual([503, undefined]);
    const state = async () => (await ask('GET', `sgt/bulk/${taken.id()}`)).json().BulkStatus.executionStatus;
    expect(await state()).toBe('IN_PROGRESS');
    await expect.poll(state, { timeout: 5000 }).toBe('COMPLETED');
    const xml =
      '<ns0:sgtBulkRequest xmlns:ns0="trustsec.ers.ise.cisco.com" operationType="create" resourceMediaType="x"><ns0:resourcesList><ns0:resource name="InBulk"><value>4000</value></ns0:resource></ns0:resourcesList></ns0:sgtBulkRequest>';
    expect((await ask('PUT', 'sgt/bulk/submit', xml, { 'Content-Type': 'application/xml' })).status).toBe(202);
    await expect.poll(async () => (await names(ask, 'sgt')).includes('InBulk'), { timeout: 5000 }).toBe(true);
  });

  it('anc: refuses in the words of the product', async () => {
    const { ask, endpoints, policies } = await withRules('anc');
    const mac = (endpoints.split('+')[0] ?? '').toLowerCase();
    const apply = (policy: string) =>
      ask('PUT', 'ancendpoint/apply', ancBody(['macAddress', mac], ['policyName', policy]));
    expect(refused(await apply('none'))).toEqual([400, 'Policy is not configured']);
    expect((await apply(policies[0] ?? '')).status).toBe(204);
    expect(refused(await apply(policies[0] ?? ''))).toEqual([
      400,
      'mac address is already associated with this policy',
    ]);
    const [entry] = (await ask('GET', 'ancendpoint?filter=name.CONTAINS.02:00')).json().SearchResult.resources;
    expect((await ask('GET', `ancendpoint/${entry.id}`)).json().ErsAncEndpoint.macAddress).toBe(mac.toUpperCase());
    expect((await ask('PUT', 'ancendpoint/clear', ancBody(['macAddress', mac]))).status).toBe(204);
    const again = await ask('PUT', 'ancendpoint/clear', ancBody(['macAddress', mac]));
    expect(refused(again)).toEqual([400, 'mac address is not associated with a policy']);
  });

  it('ancsession: knows endpoints by their MAC address only', async () => {
    const { ask, endpoints, policies } = await withRules('ancsession');
    const [mac = '', ip = ''] = [endpoints.split('+')[0], endpoints.split('@')[1]];
    const policy = ['policyName', policies[0] ?? ''] as const;
    const byIp = await ask('PUT', 'ancendpoint/apply', ancBody(['ipAddress', ip], policy));
    expect(refused(byIp)).toEqual([400, 'Session lookup failure']);
    expect((await ask('PUT', 'ancendpoint/apply', ancBody(['macAddress', mac], policy))).status).toBe(204);
  });

  it('ancradius: answers 500 and carries it out', async () => {
    const { ask, endpoints, policies } = await withRules('seed', 'ancradius');
    const mac = endpoints.split('+')[0] ?? '';
    const body = ancBody(['macAddress', mac], ['policyName', policies[0] ?? '']);
    expect(refused(await ask('PUT', 'ancendpoint/apply', body))).toEqual([500, 'Radius Failure']);
    expect((await ask('GET', 'ancendpoint')).json().SearchResult.total).toBe(3);
    expect(refused(await ask('PUT', 'ancendpoint/clear', ancBody(['macAddress', mac])))).toEqual([
      500,
      'Radius Failure',
    ]);
    expect((await ask('GET', 'ancendpoint')).json().SearchResult.total).toBe(2);
  });
});

describe('the rules on access', () => {
  it('lockout: five wrong passwords lock the account', async () => {
    const { ask } = await withRules('lockout');
    const wrong = { Authorization: `Basic ${Buffer.from(`${LOGIN.username}:wrong`).toString('base64')}` };
    for (let tries = 0; tries < 4; tries += 1) expect((await ask('GET', 'sgt', undefined, wrong)).status).toBe(401);
    expect((await ask('GET', 'sgt')).status).toBe(200);
    expect((await ask('GET', 'sgt', undefined, wrong)).status).toBe(401);
    expect((await ask('GET', 'sgt')).status).toBe(401);
  });

  it.each([
    ['csrf', 200],
    ['csrf415', 415],
  ] as const)('%s: a token is good with the cookies it came with', async (rule, status) => {
    const { ask } = await withRules(rule);
    const bare = await ask('POST', 'sgt', group('a'));
    expect([bare.status, bare.text]).toEqual([403, expect.stringMatching(/^CSRF nonce validation failed.*<html/)]);
    const fetched = await ask('GET', 'sgt/versioninfo', undefined, { 'X-CSRF-TOKEN': 'fetch' });
    expect(fetched.status).toBe(status);
    const token = { 'X-CSRF-TOKEN': String(fetched.headers['x-csrf-token']) };
    expect((await ask('POST', 'sgt', group('a'), token)).status).toBe(403);
    const cookies = (fetched.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
    expect((await ask('POST', 'sgt', group('a'), { ...token, Cookie: cookies })).status).toBe(201);
  });

  it('operator: may read and not write', async () => {
    const { ask } = await withRules('operator');
    expect((await ask('GET', 'sgt')).status).toBe(200);
    expect((await ask('POST', 'sgt', group('a'))).status).toBe(403);
    expect((await ask('PUT', 'ancendpoint/apply', ancBody(['macAddress', 'x']))).status).toBe(403);
  });

  it('rate: configuration requests wait for their turn', async () => {
    const { ask } = await withRules('rate');
    const begun = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => ask('GET', 'sgt?size=1')));
    expect(performance.now() - begun).toBeGreaterThan(150);
  });

  it('connections: resets the thirty-first', async () => {
    const { baseUrl } = await withRules('connections');
    const { hostname, port } = new URL(baseUrl);
    const ends = await Promise.all(
      Array.from({ length: 31 }, async (_, index) => {
        const socket = connect(Number(port), hostname);
        socket.write(`GET /ers/config/sgt?size=${index + 1} HTTP/1.1\r\nHost: t\r\nAuthorization: ${BASIC}\r\n\r\n`);
        const state = await new Promise<string>((resolve) => {
          socket.once('data', () => resolve('answered'));
          socket.once('error', () => resolve('reset'));
        });
        return { socket, state };
      }),
    );
    expect(ends.filter(({ state }) => state === 'reset')).toHaveLength(1);
    for (const { socket } of ends) socket.destroy();
  });
});
