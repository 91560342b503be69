import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Family } from '../../../../lib/contract/types.ts';
import { PERSONAS } from '../../../../reference/personas/personas.ts';
import { ancBody, withRules } from '../ask.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('personas', () => {
  it.each(PERSONAS.map(({ id }) => id))(
    '%s puts a policy on an endpoint, and takes a copy of what each family holds, changes it and deletes it',
    async (id) => {
      const { ask, endpoints, policies } = await withRules(id);
      const address = ancBody(['macAddress', endpoints.split('+')[0] ?? ''], ['policyName', policies[0] ?? '']);
      expect((await ask('PUT', 'ancendpoint/apply', address)).status).toBe(204);
      const groups = (await ask('GET', 'sgt')).json().SearchResult.resources;
      for (const [name, { ops, roots }] of Object.entries<Family>(FAMILIES)) {
        const { resource } = roots;
        if (resource === undefined || !ops.includes('create')) continue;
        const [first] = (await ask('GET', name)).json().SearchResult.resources;
        const held = first === undefined ? {} : (await ask('GET', `${name}/${first.id}`)).json()[resource];
        const { id: _id, link: _link, name: _name, value: _value, ...members } = held;
        const own = {
          ...members,
          ...('sxpVpnName' in members ? { sxpVpnName: 'Mine' } : { name: 'Mine' }),
          ...('value' in held ? { value: 4000 } : {}),
          ...(first === undefined ? { sgtId: groups[0].id } : {}),
        };
        const created = await ask('POST', name, { [resource]: own });
        expect([name, created.status]).toEqual([name, 201]);
        const path = `${name}/${created.id()}`;
        const record = (await ask('GET', path)).json()[resource];
        if (ops.includes('update')) {
          const changed = await ask('PUT', path, { [resource]: { ...record, description: 'changed' } });
          expect([name, changed.status]).toEqual([name, 200]);
          expect((await ask('GET', path)).json()[resource].description).toBe('changed');
        }
        expect((await ask('DELETE', path, undefined, JSON_TYPE)).status).toBe(204);
        expect((await ask('GET', path)).status).toBe(404);
      }
    },
  );
});
