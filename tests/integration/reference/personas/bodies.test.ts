import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { type Ask, group, refused, withRules } from '../ask.ts';

const CSS = Buffer.from('body { color: red; }').toString('base64');
const theme = (name: string, themeData = CSS) => ({ PortalTheme: { name, themeData } });

describe('the rules on records and bodies', () => {
  it('seed: has factory records only', async () => {
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

  it('names: takes letters, digits and underscores, at most 32', async () => {
    const { ask } = await withRules('names');
    expect((await ask('POST', 'sgt', group('a-b'))).status).toBe(400);
    expect((await ask('POST', 'sgt', group('a'.repeat(33)))).status).toBe(400);
    expect((await ask('POST', 'sgt', group('a_B9'))).status).toBe(201);
  });

  it('names-loose: takes dots and dashes too', async () => {
    const { ask } = await withRules('names', 'names-loose');
    expect((await ask('POST', 'sgt', group('a-b.c'))).status).toBe(201);
    expect((await ask('POST', 'sgt', group('a b', 4001))).status).toBe(400);
  });

  it('names2: names of the other families differ in more than case', async () => {
    const { ask } = await withRules('names2');
    expect((await ask('POST', 'portaltheme', theme('My theme (a)'))).status).toBe(201);
    expect((await ask('POST', 'portaltheme', theme('my THEME (a)'))).status).toBe(400);
    expect((await ask('POST', 'portaltheme', theme('a/b'))).status).toBe(400);
    expect((await ask('POST', 'portaltheme', theme('x'.repeat(129)))).status).toBe(400);
    expect((await ask('POST', 'sxpvpns', { ERSSxpVpn: { sxpVpnName: 'a b' } })).status).toBe(400);
    expect((await ask('POST', 'sgt', group('a/b'))).status).toBe(201);
  });

  it('descriptions: refuses angle brackets and says nothing of them', async () => {
    const { ask } = await withRules('descriptions');
    const reply = await ask('POST', 'sgt', group('a', 4000, { description: 'a < b' }));
    expect(refused(reply)).toEqual([400, 'Application resource validation exception']);
    expect((await ask('POST', 'sgt', group('a', 4000, { description: 'a & b' }))).status).toBe(201);
  });

  it('strict: refuses null, wrong types and half an update', async () => {
    const { ask } = await withRules('strict');
    for (const more of [{ description: null }, { value: '4000' }, { propogateToApic: 'true' }, { other: 1 }]) {
      const reply = await ask('POST', 'sgt', group('a', 4000, more));
      expect(refused(reply)).toEqual([400, expect.stringContaining('due to JSON invalidity')]);
    }
    const id = (await ask('POST', 'sgt', group('a'))).id();
    expect((await ask('PUT', `sgt/${id}`, { Sgt: { id, description: 'x' } })).status).toBe(400);
    expect((await ask('PUT', `sgt/${id}`, group('a', 4000, { description: 'x' }))).status).toBe(400);
    const whole = (await ask('GET', `sgt/${id}`)).json();
    expect((await ask('PUT', `sgt/${id}`, { Sgt: { ...whole.Sgt, description: 'x' } })).status).toBe(200);
  });

  it('dup500: answers 500 for a name that exists, and 400 for another value that does', async () => {
    const { ask } = await withRules('dup500');
    expect((await ask('POST', 'sgt', group('a'))).status).toBe(201);
    const twice = await ask('POST', 'sgt', group('a', 4001));
    expect([twice.status, twice.json().ERSResponse.messages[0].code]).toEqual([500, 'CRUD operation exception']);
    expect((await ask('POST', 'sgt', group('b'))).status).toBe(400);
  });

  it('defaults: factory records stay as they are', async () => {
    const { ask } = await withRules('seed', 'defaults');
    const id = '93ad6890-8c01-11e6-996c-525400b48521';
    expect((await ask('DELETE', `sgt/${id}`)).status).toBe(400);
    expect((await ask('PUT', `sgt/${id}`, { Sgt: { id, name: 'Other', value: 4 } })).status).toBe(400);
    expect((await ask('GET', `sgt/${id}`)).json().Sgt.name).toBe('Employees');
    expect((await ask('DELETE', `sgt/${(await ask('POST', 'sgt', group('mine'))).id()}`)).status).toBe(204);
  });
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

  it('portals: without factory records, the portals that are there can be copied', async () => {
    const { ask } = await withRules('portals');
    const copied = await template(ask, 'byodportal', 'BYODPortal');
    expect((await ask('POST', 'byodportal', { BYODPortal: { name: 'copy', ...copied } })).status).toBe(201);
  });

  it('testurl: makes the address of the test page', async () => {
    const { ask } = await withRules('testurl');
    const body = { name: 'p', portalType: 'BYOD', portalTestUrl: 'https://sent.example' };
    const id = (await ask('POST', 'byodportal', { BYODPortal: body })).id();
    const { portalTestUrl } = (await ask('GET', `byodportal/${id}`)).json().BYODPortal;
    expect(portalTestUrl).toContain(id);
    expect(portalTestUrl).not.toContain('sent.example');
  });

  it('theme: takes a style sheet in Base64', async () => {
    const { ask } = await withRules('theme');
    for (const text of ['plain text', Buffer.from('no rules at all').toString('base64'), `${CSS}=`, '']) {
      expect([text, (await ask('POST', 'portaltheme', theme('a', text))).status]).toEqual([text, 400]);
    }
    expect((await ask('POST', 'portaltheme', theme('a'))).status).toBe(201);
    const [first] = (await ask('GET', 'portaltheme')).json().SearchResult.resources;
    const held = (await ask('GET', `portaltheme/${first.id}`)).json().PortalTheme.themeData;
    expect((await ask('POST', 'portaltheme', theme('copy', held))).status).toBe(201);
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

  it('vn1: takes one mapping of a group', async () => {
    const { ask } = await withRules('vn1');
    const make = (name: string, sgtId: string) => ask('POST', 'sgtvnvlan', { SgtVNVlanContainer: { name, sgtId } });
    expect((await make('a', 'one')).status).toBe(201);
    expect((await make('b', 'one')).status).toBe(400);
    expect((await make('c', 'two')).status).toBe(201);
  });
});
