import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ancBody, BASIC, group, names, refused, withRules } from '../ask.ts';

describe('the rules on answers', () => {
  it('generation: counts itself, as a text', async () => {
    const { ask } = await withRules('generation', 'strict');
    const id = (await ask('POST', 'sgt', group('a', 4000, { generationId: 7 }))).id();
    const read = async () => (await ask('GET', `sgt/${id}`)).json().Sgt;
    expect((await read()).generationId).toBe('0');
    await ask('PUT', `sgt/${id}`, { Sgt: { ...(await read()), description: 'x', generationId: '9' } });
    expect(await read()).toMatchObject({ generationId: '1', description: 'x' });
  });

  it('sgtfields: takes members that it does not show', async () => {
    const { ask } = await withRules('sgtfields');
    const sent = group('a', 4000, { isReadOnly: false, defaultSGACLs: [], description: '' });
    const id = (await ask('POST', 'sgt', sent)).id();
    const shown = Object.keys((await ask('GET', `sgt/${id}`)).json().Sgt);
    expect(shown.sort()).toEqual(['id', 'link', 'name', 'value']);
  });

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

  it('portal500: the list of the view is a fault', async () => {
    const { ask } = await withRules('seed', 'portal500');
    expect(refused(await ask('GET', 'portal'))).toEqual([500, 'Operation search PORTAL failed']);
    expect((await ask('GET', 'portal/f10871e0-7159-11e7-a355-005056aba474')).status).toBe(200);
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

  it('filtertype: only the small letters join by OR', async () => {
    const { ask } = await withRules('filtertype');
    const query = 'sgt?filter=name.EQ.BYOD&filter=name.EQ.Auditors';
    const total = async (parameter: string) => (await ask('GET', query + parameter)).json().SearchResult.total;
    expect([await total('&filterType=or'), await total('&filtertype=or')]).toEqual([0, 2]);
    const page = (await ask('GET', `${query}&filterType=or&filtertype=or&size=1`)).json().SearchResult;
    expect(page.nextPage.href).toContain('filterType=or');
  });

  it('ancfilter: filters endpoints by macAddress', async () => {
    const { ask } = await withRules('seed', 'ancfilter');
    expect(refused(await ask('GET', 'ancendpoint?filter=name.EQ.00:11:22:33:44:55'))).toEqual([
      400,
      "The filter field 'name' is not supported",
    ]);
    const found = await ask('GET', 'ancendpoint?filter=macAddress.EQ.00:11:22:33:44:55');
    expect(found.json().SearchResult.total).toBe(1);
  });

  it('case: filters ignore case', async () => {
    const { ask } = await withRules('case');
    expect((await ask('GET', 'sgt?filter=name.EQ.byod')).json().SearchResult.total).toBe(1);
  });

  it('paging and past404: pages past the end', async () => {
    const [usual, older] = [await withRules('paging'), await withRules('paging', 'past404')];
    expect((await usual.ask('GET', 'sgt?page=9')).status).toBe(400);
    expect((await older.ask('GET', 'sgt?page=9')).status).toBe(404);
    const large = await older.ask('GET', 'sgt?size=101');
    expect([large.status, large.json().SearchResult]).toEqual([400, undefined]);
  });

  it('hrefs: every link names one node', async () => {
    const { ask, baseUrl } = await withRules('hrefs');
    expect((await ask('GET', 'sgt?size=2')).text).not.toContain(baseUrl);
    expect((await ask('POST', 'sgt', group('a'))).headers.location).toMatch(/^https:\/\/ise-1\.example\.com:9060\//);
  });

  it('wire: the headers of recorded answers', async () => {
    const { ask, baseUrl } = await withRules('wire');
    const [first] = (await ask('GET', 'sgt')).json().SearchResult.resources;
    const { hostname, port } = new URL(baseUrl);
    const head = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `GET /ers/config/sgt/${first.id} HTTP/1.1\r\nHost: t\r\nAuthorization: ${BASIC}\r\nConnection: close\r\n\r\n`,
        );
      });
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('close', () => resolve(text.split('\r\n\r\n')[0] ?? ''));
    });
    const lines = head.split('\r\n');
    expect(lines[0]).toBe('HTTP/1.1 200 ');
    expect(lines.filter((line) => line.startsWith('Set-Cookie: '))).toHaveLength(2);
    for (const part of [
      'ETag: "',
      'Transfer-Encoding: chunked',
      'Strict-Transport-Security: ',
      'Expires: Thu, 01 Jan 1970',
    ])
      expect(head).toContain(part);
    expect(head).not.toContain('Content-Length');
    expect((await ask('DELETE', `sgt/${first.id}`)).status).toBe(204);
  });
});
