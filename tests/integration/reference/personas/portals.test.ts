import { describe, expect, it } from 'vitest';
import type { Ask } from '../ask.ts';
import { group, withRules } from './with-rules.ts';

const CSS = Buffer.from('body { color: red; }').toString('base64');
const theme = (name: string, themeData = CSS) => ({ PortalTheme: { name, themeData } });
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
