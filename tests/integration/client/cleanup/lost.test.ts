import { expect, it } from 'vitest';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { aStubClient, eagerClock } from '../../../helpers/a-client.ts';
import { json } from '../../../helpers/stub-target.ts';

it('a server that is lost in the middle leaves what is known of each record, none counted twice', async () => {
  const names = new Map<string, string>();
  let isUp = true;
  const { client, journal } = await aStubClient(
    { mode: 'own-data', clock: eagerClock() },
    ({ method, url, body }, response) => {
      const id = url.split('/')[4] ?? '';
      if (!isUp) return json(response, 503, { error: 'Maintenance' }, { 'Retry-After': '3600' });
      if (method === 'DELETE') return response.writeHead(204).end();
      if (method === 'GET') return json(response, 200, { Sgt: { id, name: names.get(id) } });
      const { name } = JSON.parse(body).Sgt;
      if (name === 'refused') return json(response, 400, { error: 'no' });
      names.set(`id-${name}`, name);
      json(response, 201, undefined, { Location: `/ers/config/sgt/id-${name}` });
    },
  );
  const create = (name: string) => client.send('sgt', 'create', { fields: { name, value: 1 } });
  for (const name of ['left', 'gone', 'refused']) await create(name);
  await client.send('sgt', 'delete', { id: 'id-gone' });
  isUp = false;
  for (const name of ['sent', 'held', 'held-too'])
    await expect(create(name)).rejects.toMatchObject({ code: 'out-of-service' });
  await expect(client.send('sgt', 'delete', { id: 'id-left' })).rejects.toMatchObject({ code: 'out-of-service' });
  const { created, removed, residue } = await removeCreated(client, { clock: eagerClock() });
  expect([created, removed]).toEqual([2, 0]);
  expect(residue.map(({ id, name, standing }) => [id, name, standing])).toEqual([
    ['id-left', 'left', undefined],
    ['id-gone', 'gone', 'removed'],
    ['(not known)', 'sent', 'unknown'],
    ['(not known)', 'refused', 'unknown'],
  ]);
  // Whoever sweeps by the journal looks for all of them.
  const intended = journal.flatMap(({ event, name }) => (event === 'intent' && name !== undefined ? [name] : []));
  expect(intended).toEqual(['left', 'gone', 'refused', 'sent', 'held', 'held-too']);
});
