import { describe, expect, it } from 'vitest';
import { ancBody, servedOfGroup } from './ask.ts';

/** The contract that real clients force on an answer, C1 to C22. */
describe('the reference deployment answers as real clients need it', () => {
  const served = servedOfGroup();

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
});
