import { expect, it } from 'vitest';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { aTinyClient, eagerClock } from '../../../helpers/a-client.ts';

it('a server that is lost in the middle leaves what is known of each record, none counted twice', async () => {
  let isUp = true;
  const { client, journal } = await aTinyClient({ mode: 'own-data', clock: eagerClock() }, ({ method, body }) => {
    if (!isUp) return { status: 503, body: { error: 'Maintenance' }, headers: { 'Retry-After': '3600' } };
    return method === 'POST' && body.includes('"refused"') ? { status: 400 } : undefined;
  });
  const create = (name: string) => client.send('sgt', 'create', { fields: { name, value: 1 } });
  for (const name of ['left', 'gone', 'refused']) await create(name);
  await client.send('sgt', 'delete', { id: 'id-2' });
  isUp = false;
  for (const name of ['sent', 'held', 'held-too'])
    await expect(create(name)).rejects.toMatchObject({ code: 'out-of-service' });
  await expect(client.send('sgt', 'delete', { id: 'id-1' })).rejects.toMatchObject({ code: 'out-of-service' });
  const { created, removed, residue } = await removeCreated(client, { clock: eagerClock() });
  expect([created, removed]).toEqual([2, 0]);
  expect(residue.map(({ id, name, standing }) => [id, name, standing])).toEqual([
    ['id-1', 'left', undefined],
    ['id-2', 'gone', 'removed'],
    ['(not known)', 'sent', 'unknown'],
    ['(not known)', 'refused', 'unknown'],
  ]);
  // Whoever sweeps by the journal looks for all of them.
  const intended = journal.flatMap(({ event, name }) => (event === 'intent' && name !== undefined ? [name] : []));
  expect(intended).toEqual(['left', 'gone', 'refused', 'sent', 'held', 'held-too']);
});
