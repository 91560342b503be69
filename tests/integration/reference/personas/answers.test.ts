import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ancBody, BASIC, group, names, withRules } from '../ask.ts';

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
