import { describe, expect, it } from 'vitest';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { aStubClient, aTinyClient, eagerClock } from '../../../helpers/a-client.ts';
import { json } from '../../../helpers/stub-target.ts';

const clock = eagerClock();
const OTHERS = Array.from({ length: 200 }, (_, at) => ({ id: `other-${at}`, name: `other ${at}` }));
const create = (name: string) => ({ fields: { name, value: 7 } });

describe('a create that seemed to have made nothing', () => {
  it('removes what a list showed once of a create that was answered with a redirect, though later lists hide it', async () => {
    let lists = 0;
    const { client, target } = await aTinyClient({ mode: 'own-data' }, (asked, standard) => {
      if (asked.method === 'POST') standard(asked);
      if (asked.method === 'POST') return { status: 303, headers: { Location: '/ers/config/sgt/other' } };
      if (!asked.path.includes('size=') || lists++ === 0) return undefined;
      return { status: 200, body: { SearchResult: { total: 1, resources: OTHERS } } };
    });
    await client.send('sgt', 'create', create('lost'));
    await client.send('sgt', 'list', { list: { size: 20 } });
    expect(await removeCreated(client, { clock })).toMatchObject({ created: 1, removed: 1, residue: [] });
    expect(target.records('sgt')).toEqual([]);
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
    let isTwice = false;
    const { client } = await aTinyClient({ mode: 'own-data' }, (asked, standard) => {
      if (asked.method === 'POST' && isTwice) return { status: 422 };
      isTwice ||= asked.method === 'POST';
      return asked.method === 'GET' && standard(asked).status === 404 ? { status: 400 } : undefined;
    });
    await client.send('sgt', 'create', create('twice'));
    await client.send('sgt', 'create', create('twice'));
    await client.send('sgt', 'list', { list: { size: 20 } });
    await client.send('sgt', 'delete', { id: 'id-1' });
    expect(await removeCreated(client, { clock })).toMatchObject({ created: 1, removed: 1, residue: [] });
  });
});
