import { once } from 'node:events';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { type Ask, ancBody, BASIC, group, names, withRules } from '../ask.ts';

describe('the rules on answers', () => {
  it('members: shows no names, its own portal types, and the value 0', async () => {
    const { ask, endpoints, policies } = await withRules('members');
    const [telemetry] = (await ask('GET', 'telemetryinfo')).json().SearchResult.resources;
    expect((await ask('GET', `telemetryinfo/${telemetry.id}`)).json().TelemetryInfo).not.toHaveProperty('name');
    const body = ancBody(['macAddress', endpoints.split('+')[0] ?? ''], ['policyName', policies[0] ?? '']);
    await ask('PUT', 'ancendpoint/apply', body);
    const [endpoint] = (await ask('GET', 'ancendpoint')).json().SearchResult.resources;
    expect((await ask('GET', `ancendpoint/${endpoint.id}`)).json().ErsAncEndpoint).not.toHaveProperty('name');
    const [portal] = (await ask('GET', 'portal')).json().SearchResult.resources;
    expect((await ask('GET', `portal/${portal.id}`)).json().ERSPortal.portalType).toBe('GUEST');
    const zero = (await ask('GET', 'sgt?filter=name.EQ.Unknown')).json().SearchResult.resources[0];
    expect((await ask('GET', `sgt/${zero.id}`)).json().Sgt.value).toBe(0);
  });

  it('portalview: shows guest and sponsor portals', async () => {
    const { ask } = await withRules('seed', 'portalview');
    expect([...(await names(ask, 'portal'))].sort()).toEqual([
      'Hotspot Guest Portal (default)',
      'Self-Registered Guest Portal (default)',
      'Sponsor Portal (default)',
      'Sponsored Guest Portal (default)',
    ]);
    const [byod] = (await ask('GET', 'byodportal')).json().SearchResult.resources;
    expect((await ask('GET', `portal/${byod.id}`)).status).toBe(404);
  });

  it('lists: entries show less, groups in the order of their names', async () => {
    const { ask } = await withRules('seed', 'lists');
    await ask('POST', 'sgt', group('Aaa', 4000, { description: '' }));
    const entries = (await ask('GET', 'sgt?size=100')).json().SearchResult.resources as { name: string }[];
    expect(entries[0]).not.toHaveProperty('description');
    const listed = entries.map(({ name }) => name);
    expect(listed).toEqual([...listed].sort());
    const [node] = (await ask('GET', 'node')).json().SearchResult.resources;
    expect(Object.keys(node).sort()).toEqual(['id', 'link', 'name']);
  });

  it('wire: the headers of recorded answers', async () => {
    const { ask, baseUrl } = await withRules('wire');
    const [first] = (await ask('GET', 'sgt')).json().SearchResult.resources;
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /ers/config/sgt/${first.id} HTTP/1.1\r\nHost: t\r\nAuthorization: ${BASIC}\r\nConnection: close\r\n\r\n`,
    );
    const [head = ''] = (await textOf(socket)).split('\r\n\r\n');
    const lines = head.split('\r\n');
    expect(lines[0]).toBe('HTTP/1.1 200 ');
    expect(lines.filter((line) => line.startsWith('Set-Cookie: '))).toHaveLength(2);
    for (const part of ['ETag: "', 'Transfer-Encoding: chunked', 'Strict-Transport-Security: ', 'Expires: Thu, 01 Jan'])
      expect(head).toContain(part);
    expect(head).not.toContain('Content-Length');
    expect((await ask('DELETE', `sgt/${first.id}`)).status).toBe(204);
  });
});

it('the rules on records and bodies seed: has factory records only', async () => {
  const { ask } = await withRules('seed');
  const counts = await Promise.all(
    Object.keys(FAMILIES).map(async (name) => [name, (await ask('GET', name)).json().SearchResult.total]),
  );
  expect(Object.fromEntries(counts)).toEqual({
    ...{ portaltheme: 4, hotspotportal: 1, mydeviceportal: 1, byodportal: 1, portal: 6, smsprovider: 10 },
    ...{ telemetryinfo: 1, node: 5, sgt: 16, sgtvnvlan: 0, sxpvpns: 1, ancendpoint: 2 },
  });
  const employees = await ask('GET', 'sgt/93ad6890-8c01-11e6-996c-525400b48521');
  expect(employees.json().Sgt).toMatchObject({ name: 'Employees', value: 4 });
});

/** Settings and customizations of the first portal of a family, as a client would copy them. */
async function template(ask: Ask, family: string, root: string): Promise<Record<string, unknown>> {
  const [first] = (await ask('GET', family)).json().SearchResult.resources;
  const { settings, customizations, portalType } = (await ask('GET', `${family}/${first.id}`)).json()[root];
  return { settings, customizations, portalType };
}

describe('the rules on portals, themes and mappings', () => {
  it.each([
    ['hotspotportal', 'HotspotPortal'],
    ['mydeviceportal', 'MyDevicePortal'],
    ['byodportal', 'BYODPortal'],
  ])('portals: takes a copy of the portal of %s, and no less', async (family, root) => {
    const { ask } = await withRules('seed', 'portals');
    const copied = await template(ask, family, root);
    const make = (name: string, fields: object) => ask('POST', family, { [root]: { name, ...fields } });
    expect((await make('bare', { portalType: copied['portalType'] })).status).toBe(400);
    expect((await make('other', { ...copied, portalType: 'SPONSOR' })).status).toBe(400);
    const settings = copied['settings'] as Record<string, Record<string, unknown>>;
    const basics = { ...settings['portalSettings'] };
    const refusals: readonly object[] = [
      { settings: { ...settings, moreSettings: {} } },
      { settings: { ...settings, portalSettings: { ...basics, httpsPort: 9000 } } },
      { settings: { ...settings, portalSettings: { ...basics, allowedInterfaces: ['eth9'] } } },
      { settings: { ...settings, portalSettings: { ...basics, certificateGroupTag: 'none' } } },
      { settings: { ...settings, portalSettings: { ...basics, endpointIdentityGroup: 'none' } } },
      { customizations: { portalTheme: { name: 'no such theme' } } },
    ];
    for (const change of refusals) expect((await make('x', { ...copied, ...change })).status).toBe(400);
    const created = await make('plain', { portalType: copied['portalType'], settings: { portalSettings: basics } });
    expect(created.status).toBe(201);
    const read = (await ask('GET', `${family}/${created.id()}`)).json()[root];
    expect(read.settings).toEqual(settings);
    expect(read.customizations.portalTheme.name).toBe('Default Blue theme');
    expect((await make('copy', copied)).status).toBe(201);
  });

  it('vn: a mapping names a group, which then stays', async () => {
    const { ask } = await withRules('vn');
    const make = (fields: object) => ask('POST', 'sgtvnvlan', { SgtVNVlanContainer: { name: 'm', ...fields } });
    expect((await make({ sgtId: 'none' })).status).toBe(400);
    const id = (await ask('POST', 'sgt', group('mapped'))).id();
    expect((await make({ sgtId: id, virtualnetworklist: [{ description: 'no name' }] })).status).toBe(400);
    const mapping = (await make({ sgtId: id, virtualnetworklist: [{ name: 'vn' }] })).id();
    const [item] = (await ask('GET', `sgtvnvlan/${mapping}`)).json().SgtVNVlanContainer.virtualnetworklist;
    expect(item).toEqual({ id: expect.any(String), name: 'vn', vlans: [] });
    expect((await ask('DELETE', `sgt/${id}`)).status).toBe(400);
    await ask('DELETE', `sgtvnvlan/${mapping}`);
    expect((await ask('DELETE', `sgt/${id}`)).status).toBe(204);
  });
});

it('the rules on operations bulk: JSON carries no resources, and one request runs at a time', async () => {
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

  it('connections: resets the thirty-first', async () => {
    const { baseUrl } = await withRules('connections');
    const { hostname, port } = new URL(baseUrl);
    const ends = await Promise.all(
      Array.from({ length: 31 }, async (_, index) => {
        const socket = connect(Number(port), hostname);
        socket.write(`GET /ers/config/sgt?size=${index + 1} HTTP/1.1\r\nHost: t\r\nAuthorization: ${BASIC}\r\n\r\n`);
        const state = await once(socket, 'data').then(
          () => 'answered',
          () => 'reset',
        );
        return { socket, state };
      }),
    );
    expect(ends.filter(({ state }) => state === 'reset')).toHaveLength(1);
    for (const { socket } of ends) socket.destroy();
  });
});
