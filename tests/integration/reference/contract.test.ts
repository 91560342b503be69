import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ancBody, type Served, serve } from './ask.ts';

/** The contract that real clients force on an answer, C1 to C22. */
describe('the reference deployment answers as real clients need it', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  const created = async (name: string, extra: object = {}) => {
    const reply = await served.ask('POST', 'sgt', { Sgt: { name, value: -1, ...extra } });
    return { reply, id: reply.id() };
  };

  it('C1, C22: a create is 201 without a body, with a length of 0 and Location spelled so', async () => {
    const { reply, id } = await created('c1');
    expect(reply.status).toBe(201);
    expect(reply.text).toBe('');
    expect(reply.rawHeaders).toContain('Location');
    expect(reply.headers['content-length']).toBe('0');
    expect(reply.headers.location).toBe(`${served.baseUrl}/ers/config/sgt/${id}`);
    expect((await served.ask('GET', `sgt/${id}`)).json().Sgt.id).toBe(id);
  });

  it('C2: an update is 200 and lists the changed fields as texts', async () => {
    const { id } = await created('c2', { description: 'before', value: 4242 });
    const reply = await served.ask('PUT', `sgt/${id}`, { Sgt: { id, name: 'c2', description: 'after', value: 4243 } });
    expect(reply.status).toBe(200);
    expect(reply.json().UpdatedFieldsList.updatedField).toEqual([
      { field: 'description', oldValue: 'before', newValue: 'after' },
      { field: 'value', oldValue: '4242', newValue: '4243' },
    ]);
  });

  it('C6: single reads have the root keys that clients agree on', async () => {
    const roots: Readonly<Record<string, string>> = {
      portaltheme: 'PortalTheme',
      hotspotportal: 'HotspotPortal',
      mydeviceportal: 'MyDevicePortal',
      byodportal: 'BYODPortal',
      portal: 'ERSPortal',
      telemetryinfo: 'TelemetryInfo',
      node: 'Node',
      sgt: 'Sgt',
      sgtvnvlan: 'SgtVNVlanContainer',
      sxpvpns: 'ERSSxpVpn',
      ancendpoint: 'ErsAncEndpoint',
    };
    for (const [family, root] of Object.entries(roots)) {
      const first = (await served.ask('GET', `${family}?size=1`)).json().SearchResult.resources[0];
      const read = (await served.ask('GET', `${family}/${first.id}`)).json();
      expect(Object.keys(read)).toEqual([root]);
      expect(read[root].id).toBe(first.id);
      expect(read[root].link).toEqual(first.link);
    }
  });

  it('C7, C8: a list is a SearchResult whose resources are an array, also when it is empty', async () => {
    const empty = (await served.ask('GET', 'sgt?filter=name.EQ.no-such-group')).json().SearchResult;
    expect(empty).toEqual({ total: 0, resources: [] });
    const anc = (await served.ask('GET', 'ancendpoint')).json().SearchResult.resources[0];
    expect(Object.keys(anc)).toEqual(['id', 'link']);
    const sms = (await served.ask('GET', 'smsprovider')).json().SearchResult.resources[0];
    expect(Object.keys(sms)).toEqual(['id', 'name', 'link']);
  });

  it('C9: nextPage is there only when a page follows, is absolute, keeps the query and ends with the page', async () => {
    const query = 'filter=name.CONTAINS.a&filter=description.CONTAINS.e&filterType=OR&sortdsc=name&extra=1';
    const first = (await served.ask('GET', `sgt?${query}&size=2`)).json().SearchResult;
    expect(first.nextPage.rel).toBe('next');
    expect(first.nextPage.href).toBe(`${served.baseUrl}/ers/config/sgt?${query}&size=2&page=2`);
    expect(first.previousPage).toBeUndefined();
    const names = first.resources.map(({ name }: { name: string }) => name);
    let page = first;
    while (page.nextPage !== undefined) {
      page = (await served.ask('GET', page.nextPage.href)).json().SearchResult;
      names.push(...page.resources.map(({ name }: { name: string }) => name));
    }
    expect(page.previousPage.rel).toBe('previous');
    const whole = (await served.ask('GET', `sgt?${query}&size=100`)).json().SearchResult;
    expect(names).toEqual(whole.resources.map(({ name }: { name: string }) => name));
    expect(whole.total).toBe(names.length);
  });

  it('C10, C11: versioninfo holds texts, under a type that says application/json', async () => {
    const reply = await served.ask('GET', 'sgt/versioninfo');
    expect(reply.headers['content-type']).toContain('application/json');
    expect(reply.rawHeaders).toContain('Content-Type');
    const { currentServerVersion, supportedVersions, link } = reply.json().VersionInfo;
    expect([typeof currentServerVersion, typeof supportedVersions, link.rel]).toEqual(['string', 'string', 'self']);
  });

  it('C12: an error is an envelope with operation, title and link', async () => {
    const { ERSResponse } = (await served.ask('GET', 'sgt/no-such-id')).json();
    expect(ERSResponse.operation).toBe('GET-get-sgt');
    expect(ERSResponse.messages[0]).toMatchObject({ type: 'ERROR', title: expect.stringContaining('no-such-id') });
    expect(ERSResponse.link.rel).toBe('related');
  });

  it('C13: a wrong login is 401 before anything else is looked at', async () => {
    for (const path of ['sgt', 'no-such-family', 'sgt/versioninfo']) {
      const reply = await served.ask('POST', path, '{', { Authorization: 'Basic bm86bm8=' });
      expect([path, reply.status]).toEqual([path, 401]);
      expect(reply.text).not.toContain('ERSResponse');
    }
  });

  it('C14: media types with parameters, types on body-less requests and odd Connection headers are taken', async () => {
    const headers = { 'Content-Type': 'application/json;charset=utf-8', Connection: 'keep_alive' };
    const { id } = await created('c14');
    expect((await served.ask('GET', 'sgt', undefined, headers)).status).toBe(200);
    expect((await served.ask('DELETE', `sgt/${id}`, undefined, headers)).status).toBe(204);
    expect((await served.ask('POST', 'sgt', { Sgt: { name: 'c14b', value: -1 } }, headers)).status).toBe(201);
  });

  it('C15, C18: a trailing slash and unknown query parameters change nothing', async () => {
    expect((await served.ask('GET', 'sgt/?cfmx=1')).text).toContain('SearchResult');
    expect((await served.ask('POST', 'sgt/', { Sgt: { name: 'c15', value: -1 } })).status).toBe(201);
  });

  it('C16, C22: any GET that fetches a token gets X-CSRF-Token spelled so, two families beyond the twelve included', async () => {
    for (const path of ['sgt', 'endpoint/versioninfo', 'deploymentinfo/versioninfo']) {
      const reply = await served.ask('GET', path, undefined, { 'X-CSRF-Token': 'fetch' });
      expect([path, reply.status]).toEqual([path, 200]);
      expect(reply.rawHeaders).toContain('X-CSRF-Token');
    }
    expect((await served.ask('GET', 'endpoint/versioninfo')).status).toBe(404);
    expect((await served.ask('GET', 'endpoint', undefined, { 'X-CSRF-Token': 'fetch' })).status).toBe(404);
  });

  it('C19: the name of an ANC endpoint is its MAC address, and filters find it by that', async () => {
    const policy = served.policies[0] ?? '';
    const mac = '02:00:00:00:00:13';
    await served.ask('PUT', 'ancendpoint/apply', ancBody(['macAddress', mac.toLowerCase()], ['policyName', policy]));
    const found = (await served.ask('GET', `ancendpoint?filter=name.EQ.${encodeURIComponent(mac)}`)).json()
      .SearchResult;
    expect(found.total).toBe(1);
    const read = (await served.ask('GET', `ancendpoint/${found.resources[0].id}`)).json().ErsAncEndpoint;
    expect(read).toMatchObject({ name: mac, macAddress: mac, policyName: policy });
  });

  it('C21: it listens on localhost and on 127.0.0.1', async () => {
    const url = served.baseUrl.replace('127.0.0.1', 'localhost');
    expect((await served.ask('GET', `${url}/ers/config/sgt`)).json().SearchResult.resources[0].link.href).toContain(
      'localhost',
    );
  });

  it('takes an id on create where the family lists one there, and ignores it elsewhere', async () => {
    const byod = { id: 'my-own-id', name: 'own id', portalType: 'BYOD' };
    expect((await served.ask('POST', 'byodportal', { BYODPortal: byod })).id()).toBe('my-own-id');
    expect((await served.ask('POST', 'byodportal', { BYODPortal: { ...byod, name: 'again' } })).status).toBe(400);
    const hotspot = { ...byod, portalType: 'HOTSPOTGUEST' };
    expect((await served.ask('POST', 'hotspotportal', { HotspotPortal: hotspot })).id()).not.toBe('my-own-id');
  });

  it('shows generationId only where a client set it, as a number', async () => {
    const seeded = (await served.ask('GET', 'sgt?size=1')).json().SearchResult.resources[0];
    expect((await served.ask('GET', `sgt/${seeded.id}`)).json().Sgt).not.toHaveProperty('generationId');
    const reply = await served.ask('POST', 'sgt', { Sgt: { name: 'generation', value: -1, generationId: '7' } });
    expect((await served.ask('GET', `sgt/${reply.id()}`)).json().Sgt.generationId).toBe(7);
  });
});
