import { describe, expect, it } from 'vitest';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { aStubClient, eagerClock } from '../../../helpers/a-client.ts';
import { json } from '../../../helpers/stub-target.ts';

const clock = eagerClock();
const OTHERS = Array.from({ length: 200 }, (_, at) => ({ id: `other-${at}`, name: `other ${at}` }));
const create = (name: string) => ({ fields: { name, value: 7 } });

describe('a create that seemed to have made nothing', () => {
  it('removes what a list showed once of a create that was answered with a redirect, though later lists hide it', async () => {
    let isThere = false;
    let lists = 0;
    const { client } = await aStubClient({ mode: 'own-data' }, ({ method, url }, response) => {
      if (method === 'POST') {
        isThere = true;
        return json(response, 303, undefined, { Location: '/ers/config/sgt/other' });
      }
      if (method === 'DELETE') isThere = false;
      if (method === 'DELETE') return json(response, 204, undefined);
      if (!url.includes('size='))
        return isThere ? json(response, 200, { Sgt: { id: 'hidden', name: 'lost' } }) : json(response, 404, {});
      const first = { SearchResult: { total: 1, resources: [{ id: 'hidden', name: 'lost' }] } };
      return json(response, 200, lists++ === 0 ? first : { SearchResult: { total: 1, resources: OTHERS } });
    });
    await client.send('sgt', 'create', create('lost'));
    await client.send('sgt', 'list', { list: { size: 20 } });
    expect(await removeCreated(client, { clock })).toMatchObject({ created: 1, removed: 1, residue: [] });
    expect(isThere).toBe(false);
  });

  it('keeps a name on the books if a list holds more than it was asked for and more than it says there is', async () => {
    const { client } = await aStubClient({ mode: 'own-data', clock }, ({ method }, response) =>
      method === 'POST'
        ? json(response, 303, {})
        : json(response, 200, { SearchResult: { total: 1, resources: OTHERS } }),
    );
    await client.send('sgt', 'create', create('lost'));
    expect((await removeCreated(client, { clock })).residue.map(({ name }) => name)).toEqual(['lost']);
  });

  it('is not the record that had the name before and was removed, though no answer says that this one is gone', async () => {
    let isThere = false;
    const { client } = await aStubClient({ mode: 'own-data' }, ({ method, url }, response) => {
      if (method === 'POST' && isThere) return json(response, 422, undefined);
      if (method === 'POST') isThere = true;
      if (method === 'POST') return json(response, 201, {}, { Location: '/ers/config/sgt/first' });
      if (method === 'DELETE') isThere = false;
      if (method === 'DELETE') return json(response, 204, undefined);
      if (!url.includes('size='))
        return isThere ? json(response, 200, { Sgt: { id: 'first', name: 'twice' } }) : json(response, 400, undefined);
      const resources = isThere ? [{ id: 'first', name: 'twice' }] : [];
      json(response, 200, { SearchResult: { total: resources.length, resources } });
    });
    await client.send('sgt', 'create', create('twice'));
    await client.send('sgt', 'create', create('twice'));
    await client.send('sgt', 'list', { list: { size: 20 } });
    await client.send('sgt', 'delete', { id: 'first' });
    expect(await removeCreated(client, { clock })).toMatchObject({ created: 1, removed: 1, residue: [] });
  });
});
