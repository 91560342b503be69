import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { group, refused, withRules } from './with-rules.ts';

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
