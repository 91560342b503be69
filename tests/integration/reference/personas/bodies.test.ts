import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { type Ask, group, withRules } from '../ask.ts';

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
