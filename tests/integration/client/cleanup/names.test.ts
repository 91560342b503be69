import { describe, expect, it } from 'vitest';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import type { ErsClient } from '../../../../lib/client/types.ts';
import { aStubClient, eagerClock } from '../../../helpers/a-client.ts';
import { EMPTY_LIST, json } from '../../../helpers/stub-target.ts';

const clock = eagerClock();
const FAMILY = '/ers/config/sxpvpns';
const body = (name: string) => ({ fields: { sxpVpnName: name } });

/** A deployment whose list of this family shows ids alone, as real ones do. */
async function namelessList(
  lie: (method: string, path: string) => number | undefined,
  located: (id: string) => string = (id) => id,
) {
  const held = new Map([['of-others', { id: 'of-others', name: 'of others' }]]);
  const { client } = await aStubClient({ mode: 'own-data', clock }, (request, response) => {
    const { method = '', url = '' } = request;
    const [path = ''] = url.split('?');
    const id = path.split('/')[4] ?? '';
    const lied = lie(method, path);
    if (method === 'POST') {
      const made = { id: `id-${held.size}`, name: JSON.parse(request.body).ERSSxpVpn.sxpVpnName };
      held.set(made.id, made);
      return json(response, lied ?? 201, {}, lied === undefined ? { Location: `${FAMILY}/${located(made.id)}` } : {});
    }
    if (lied !== undefined) return json(response, lied, lied === 204 ? undefined : {});
    if (method === 'DELETE') return json(response, held.delete(id) ? 204 : 404, undefined);
    const record = held.get(id);
    if (id !== '')
      return json(response, record === undefined ? 404 : 200, record && { ERSSxpVpn: { id, sxpVpnName: record.name } });
    const resources = [...held.keys()].map((one) => ({ id: one }));
    return json(response, 200, { SearchResult: { total: resources.length, resources } });
  });
  return { client, held };
}

/** Looks at the list, and creates a record. */
async function make(client: ErsClient) {
  await client.send('sxpvpns', 'list');
  await client.send('sxpvpns', 'create', body('cfm-a'));
}

/** Names of what a clean-up leaves. */
async function leftBy(client: ErsClient) {
  return (await removeCreated(client, { clock })).residue.map(({ name }) => name);
}

describe('a family whose list shows no names', () => {
  it('keeps a name on the list of what is left where a status denies the record that its body shows', async () => {
    const held = new Set<string>();
    const { client } = await aStubClient({ mode: 'own-data', clock }, ({ method, url }, response) => {
      if (method === 'POST') held.add('made');
      if (method === 'POST') return json(response, 418, {});
      if (!url.includes('?')) return json(response, 404, { ERSSxpVpn: { id: 'made', sxpVpnName: 'cfm-a' } });
      const resources = [...held].map((id) => ({ id }));
      json(response, 200, { SearchResult: { total: resources.length, resources } });
    });
    await client.send('sxpvpns', 'list', { list: { size: 20 } });
    await client.send('sxpvpns', 'create', body('cfm-a'));
    expect(await leftBy(client)).toEqual(['cfm-a']);
  });

  it('is read record by record for what a refused create left', async () => {
    const { client, held } = await namelessList((method) => (method === 'POST' ? 500 : undefined));
    await make(client);
    const { residue } = await removeCreated(client, { clock });
    expect([[...held.keys()], residue]).toEqual([['of-others'], []]);
  });

  it('leaves the name on the list of what is left where its new records cannot be read', async () => {
    const { client, held } = await namelessList((method, path) =>
      method === 'POST' || (method === 'GET' && path !== FAMILY) ? 500 : undefined,
    );
    await make(client);
    expect([held.size, await leftBy(client)]).toEqual([2, ['cfm-a']]);
  });
});

it('a refused create leaves its name if a new record shows it with more around it', async () => {
  const { client, held } = await namelessList((method) => (method === 'POST' ? 500 : undefined));
  await make(client);
  held.set('id-1', { id: 'id-1', name: 'said before: CFM-A' });
  expect([held.size, await leftBy(client)]).toEqual([2, ['cfm-a']]);
});

describe('creates in bulk', () => {
  const intend = async (shown: (name: string) => unknown, failed: number | null = 0, waits = clock) => {
    const { client } = await aStubClient({ mode: 'full', clock: waits }, (_, response) =>
      json(response, 200, { SearchResult: shown('cfm-a') }),
    );
    const bulk = { action: 'create', records: [{ name: 'cfm-a' }] } as const;
    await client.send('sgt', 'bulkSubmit', { fields: { operationType: 'create' }, bulk });
    client.endsBulk('sgt', failed ?? undefined);
    return leftBy(client);
  };

  it('leave their names on the list of what is left where the list says that it hides something', async () => {
    expect(await intend(() => ({ total: 1, resources: [] }))).toEqual(['cfm-a']);
  });

  it.each<[string, number | null, readonly string[], boolean]>([
    ['nothing, after a wait', 0, [], true],
    ['nothing, at once, if as many failed', 1, [], false],
    ['their names if the request was still under way', null, ['cfm-a'], true],
  ])('leave %s where the list is whole and does not show them', async (_what, failed, left, isAwaited) => {
    const others = { total: 1, resources: [{ id: 'of-others', name: 'of others' }] };
    const waits = eagerClock();
    expect(await intend(() => others, failed, waits)).toEqual(left);
    expect(waits.slept.some((ms) => ms > 5000)).toBe(isAwaited);
  });

  it('leave their record where the list shows it and it cannot be removed', async () => {
    const entry = (name: string) => ({ total: 1, resources: [{ id: 'id-1', name }] });
    expect(await intend(entry)).toEqual(['cfm-a']);
  });
});

it('refused creates are looked for with one list, however many they are', async () => {
  const { target, client } = await aStubClient({ mode: 'own-data', clock }, ({ method }, response) =>
    method === 'GET' ? json(response, 200, EMPTY_LIST) : json(response, 400, {}),
  );
  for (let one = 0; one < 50; one += 1)
    await client.send('sgt', 'create', { fields: { name: `cfm-${one}`, value: 7 } });
  const before = target.seen.length;
  expect(await removeCreated(client, { clock })).toMatchObject({ created: 0, residue: [] });
  expect(target.seen.length - before).toBeLessThan(5);
});

it.each([
  ['is not believed where it does not find what the list shows either', false, ['cfma']],
  ['is believed where it finds what the list shows', true, []],
])('a filter that finds nothing, beside a list without an end %s', async (_what, finds, left) => {
  const theirs = { id: 'of-others', name: 'of others' };
  const { target, client } = await aStubClient({ mode: 'own-data', clock }, ({ method, url }, response) => {
    if (method === 'POST') return json(response, 500, {});
    const { search, searchParams } = new URL(url, 'http://stub');
    const filter = searchParams.get('filter');
    const isFound = filter === null || (finds && filter === `name.EQ.${theirs.name}`);
    const next = filter === null ? { nextPage: { href: `${target.baseUrl}/ers/config/sgt${search}` } } : {};
    const resources = isFound ? [theirs] : [];
    json(response, 200, { SearchResult: { total: resources.length, resources, ...next } });
  });
  await client.send('sgt', 'create', { fields: { name: 'cfma', value: 7 } });
  expect(await leftBy(client)).toEqual(left);
});

it('a record that was removed is read once more where no read has shown that it is gone', async () => {
  let deletes = 0;
  const { client, held } = await namelessList((method, path) => {
    if (method === 'DELETE') deletes += 1;
    // The list never shows it again, and the first delete does nothing.
    if (method === 'DELETE' && deletes === 1) return 204;
    return method === 'GET' && path === FAMILY && deletes > 0 ? 404 : undefined;
  });
  await client.send('sxpvpns', 'create', body('cfm-a'));
  await client.send('sxpvpns', 'read', { id: 'id-1' });
  await client.send('sxpvpns', 'delete', { id: 'id-1' });
  const { residue } = await removeCreated(client, { clock });
  expect([[...held.keys()], residue, deletes]).toEqual([['of-others'], [], 2]);
});

it.each(['read', 'list'] as const)(
  'a delete that was answered with success and did nothing is on the list of what is left where nothing but an earlier %s can tell',
  async (kind) => {
    let isOver = false;
    const { client, held } = await namelessList((method) => (method === 'DELETE' ? 204 : isOver ? 500 : undefined));
    await make(client);
    await client.send('sxpvpns', 'read', { id: 'id-1' });
    await client.send('sxpvpns', 'delete', { id: 'id-1' });
    await client.send('sxpvpns', kind, kind === 'read' ? { id: 'id-1' } : {});
    isOver = true;
    const { created, removed, residue } = await removeCreated(client, { clock });
    expect([held.size, residue.map(({ id }) => id), created, removed]).toEqual([2, ['id-1'], 1, 0]);
  },
);

it('a create that was answered with the id of another record of the run leaves its own record to be found by its name', async () => {
  const { client, held } = await namelessList(
    () => undefined,
    () => 'id-1',
  );
  await client.send('sxpvpns', 'list');
  for (const name of ['cfm-a', 'cfm-b']) await client.send('sxpvpns', 'create', body(name));
  expect(held.size).toBe(3);
  const { residue } = await removeCreated(client, { clock });
  expect([[...held.keys()], residue]).toEqual([['of-others'], []]);
});

it('a name of the run that a whole list shows under the id of somebody else leaves the name on the list of what is left', async () => {
  let name = 'of others';
  const { client } = await aStubClient({ mode: 'own-data', clock }, ({ method }, response) => {
    if (method !== 'POST')
      return json(response, 200, { SearchResult: { total: 1, resources: [{ id: 'theirs', name }] } });
    response.writeHead(201, { Location: '/ers/config/sgt/theirs' }).end();
  });
  await client.send('sgt', 'list');
  await client.send('sgt', 'create', { fields: { name: 'cfma', value: 7 } });
  name = 'cfma';
  expect(await leftBy(client)).toEqual(['cfma']);
});
