import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { applyEndpoint } from '../../../lib/client/anc/state.ts';
import { openRunFolder } from '../../../lib/records/folder/writer.ts';
import { aStubClient } from '../../helpers/a-client.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { EMPTY_LIST, json } from '../../helpers/stub-target.ts';

const folder = folderOfTests();

const refused = expect.objectContaining({ code: 'refused-by-mode' });
const pool = readPool('02:00:00:00:00:00+10@10.0.0.0');

it('a client in mode read-only sends no request that is not a GET, by whatever way it is asked to', async () => {
  const { target, client, journal } = await aStubClient({}, (_, response) => json(response, 200, EMPTY_LIST));
  await client.send('sgt', 'list');
  await expect(client.send('sgt', 'create', { fields: { name: 'x' } })).rejects.toEqual(refused);
  await expect(client.send('sgt', 'delete', { id: 'x' })).rejects.toEqual(refused);
  const raw = { family: 'sgt', op: 'list' as const, path: '/ers/config/sgt' };
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])
    await expect(client.raw({ ...raw, method }), method).rejects.toEqual(refused);
  expect(target.seen.map(({ method }) => method)).toEqual(['GET']);
  expect(journal).toEqual([]);
});

it('sends nothing for an id or a name that no path can carry', async () => {
  const { target, client } = await aStubClient({}, (_, response) => json(response, 404, undefined));
  const input = ['.', '..'].flatMap((dots) => [{ id: dots }, { name: dots }, { bulkId: dots }]);
  for (const [at, op] of (['read', 'readByName', 'bulkMonitor'] as const).entries())
    for (const each of [input[at], input[at + 3]])
      await expect(client.send('sgt', op, each)).rejects.toMatchObject({ code: 'not-sendable' });
  expect(target.seen).toEqual([]);
});

it('a client in mode own-data writes to what it created and to nothing else, and knows what is left of it', async () => {
  let isThere = true;
  const { target, client } = await aStubClient({ mode: 'own-data' }, ({ method }, response) => {
    if (method === 'POST') return json(response, 201, undefined, { Location: '/ers/config/sgt/new%201' });
    if (method === 'GET' && !isThere) return json(response, 404, undefined);
    if (method === 'GET') return json(response, 200, { Sgt: { id: 'new 1', name: 'mine' } });
    isThere = false;
    json(response, 204, undefined);
  });
  await client.send('sgt', 'create', { fields: { name: 'mine' } });
  expect(client.created()).toEqual([{ family: 'sgt', id: 'new 1', name: 'mine' }]);
  await expect(client.send('sgt', 'delete', { id: 'foreign' })).rejects.toEqual(refused);
  await expect(client.send('sgt', 'bulkSubmit', { fields: {} })).rejects.toEqual(refused);
  await expect(client.send('ancendpoint', 'apply', { fields: {} })).rejects.toEqual(refused);
  await client.send('sgt', 'delete', { id: 'new 1' });
  expect(client.created()).toEqual([]);
  // A second delete of what was ours is still ours to send.
  await client.send('sgt', 'delete', { id: 'new 1' });
  // Before each delete the record is read: the first proves it ours, the second that nothing else took its id.
  const each = ['GET /ers/config/sgt/new%201', 'DELETE /ers/config/sgt/new%201'];
  const seen = target.seen.map(({ method, url }) => `${method} ${url}`);
  expect(seen).toEqual(['POST /ers/config/sgt', ...each, ...each]);
});

describe('a client in mode full', () => {
  it('applies and clears on the pool with a named policy only', async () => {
    const options = { mode: 'full', pool, policies: ['Test'] } as const;
    const { target, client } = await aStubClient(options, (_, response) => json(response, 204, undefined));
    await applyEndpoint(client, '02:00:00:00:00:03', 'Test');
    await expect(applyEndpoint(client, '02:00:00:00:00:0A', 'Test')).rejects.toEqual(refused);
    await expect(applyEndpoint(client, '02:00:00:00:00:03', 'Other')).rejects.toEqual(refused);
    expect(client.applied()).toEqual(['02:00:00:00:00:03']);
    // Cleared by its IP address it is the same endpoint.
    const fields = { additionalData: [{ name: 'ipAddress', value: '10.0.0.3' }] };
    await client.send('ancendpoint', 'clear', { fields });
    expect(client.applied()).toEqual([]);
    expect(target.seen).toHaveLength(2);
  });

  it('has one bulk request under way at a time', async () => {
    let running = 0;
    let most = 0;
    const { target, client } = await aStubClient({ mode: 'full' }, (_, response) => {
      running += 1;
      most = Math.max(most, running);
      setImmediate(() => {
        running -= 1;
        json(response, 202, undefined, { Location: '/ers/config/sgt/bulk/submit/1' });
      });
    });
    await Promise.all([1, 2, 3].map(() => client.send('sgt', 'bulkSubmit', { fields: { operationType: 'create' } })));
    expect([most, target.seen.length]).toEqual([1, 3]);
  });
});

it('the journal holds the intent on disk before the target sees the write, and the id after it', async () => {
  const writer = openRunFolder(folder);
  const onDisk = () => readFileSync(join(folder, 'records/journal.ndjson'), 'utf8');
  const seenAtRequest: string[] = [];
  const options = { mode: 'full', pool, policies: ['Test'], onJournal: writer.journal } as const;
  const { client } = await aStubClient(options, ({ method }, response) => {
    if (method === 'GET') return json(response, 200, { Sgt: { id: 'id1', name: 'run-1-a' } });
    seenAtRequest.push(onDisk());
    if (method === 'POST') json(response, 201, undefined, { Location: '/ers/config/sgt/id1' });
    else json(response, 204, undefined);
  });
  await client.send('sgt', 'create', { fields: { name: 'run-1-a' } });
  await client.send('sgt', 'delete', { id: 'id1' });
  const macAddress = '02:00:00:00:00:01';
  await applyEndpoint(client, macAddress, 'Test');
  writer.close();
  expect(seenAtRequest[0]).toContain('"event":"intent","family":"sgt","operation":"create","name":"run-1-a"');
  expect(seenAtRequest[1]).toContain('"event":"intent","family":"sgt","operation":"delete","id":"id1"');
  expect(seenAtRequest[2]).toContain(`"operation":"apply","endpoint":"${macAddress}"`);
  const events = [...onDisk().matchAll(/"event":"(\w+)"/g)].map(([, event]) => event);
  expect(events).toEqual(['intent', 'created', 'intent', 'removed', 'intent', 'applied']);
});
