import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BASIC, group, names, withRules } from '../ask.ts';

describe('the rules on operations', () => {
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
});

describe('the rules on access', () => {
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
