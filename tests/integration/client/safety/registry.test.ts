import { describe, expect, it } from 'vitest';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import type { ErsClient } from '../../../../lib/client/types.ts';
import { type Clock, systemClock } from '../../../../lib/clock.ts';
import { aTinyClient, eagerClock } from '../../../helpers/a-client.ts';
import type { Answered, TinyLie, TinyTarget } from '../../../helpers/tiny-target.ts';

const FAMILY = '/ers/config/sgt';
const THEIRS = { id: 'theirs', name: 'Prod', description: 'of a colleague' };
const clock = eagerClock();

let target: TinyTarget;

async function open(lie: TinyLie, by: Clock = systemClock) {
  const opened = await aTinyClient({ mode: 'full', runId: '20260101-000000-abcd', clock: by }, lie);
  target = opened.target;
  return opened.client;
}

/** Shows the record of a colleague under whatever id is read, once it is theirs. */
const theirsOnce =
  (isTheirs: () => boolean): TinyLie =>
  ({ method, path }) =>
    isTheirs() && method === 'GET' && /\/sgt\/[^?]+$/.test(path)
      ? shown({ ...THEIRS, id: path.split('/')[4] })
      : undefined;

const NAME = 'cfm00000bcdone';
const create = (client: ErsClient, name = NAME) =>
  client.send('sgt', 'create', { fields: { name, value: 5, description: `${name} of a test` } });
const idOf = (client: ErsClient) => client.created()[0]?.id ?? '';
const writes = (id: string) =>
  target.requests.filter(({ method, path }) => method !== 'GET' && path.endsWith(`/${id}`));
const shown = (record: object): Answered => ({ status: 200, body: { Sgt: record } });

describe('an id that is handed on', () => {
  it.each<[string, Answered]>([
    ['answered with an error', { status: 503 }],
    ['answered in a way that says nothing', { status: 302 }],
    ['answered with the wish to ask again', { status: 503, headers: { 'Retry-After': '0' } }],
  ])('gets no further delete after one that was done and %s', async (_, lost) => {
    let isGone = false;
    const client = await open(({ method, path }, standard) => {
      if (method === 'DELETE' && !isGone) {
        isGone = true;
        standard({ method, path, body: '' });
        return lost;
      }
      const id = path.split('/')[4];
      return isGone && method === 'GET' && id !== undefined && !id.includes('?') ? shown({ ...THEIRS, id }) : undefined;
    });
    await create(client);
    const id = idOf(client);
    await client.send('sgt', 'update', { id, fields: { id, name: NAME, value: 6 } });
    const { leftAlone } = await removeCreated(client, { clock });
    expect(writes(id).map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
    expect(leftAlone).toMatchObject([{ id, name: 'Prod' }]);
  });

  it('gets no write once any look showed another name under it, whatever was proven before', async () => {
    let isTheirs = false;
    const client = await open(theirsOnce(() => isTheirs));
    await create(client);
    const id = idOf(client);
    await client.send('sgt', 'update', { id, fields: { id, name: NAME, value: 6 } });
    isTheirs = true;
    await client.send('sgt', 'read', { id });
    await expect(client.send('sgt', 'update', { id, fields: { id, value: 7 } })).rejects.toThrow(/did not create/);
    expect(writes(id)).toHaveLength(1);
  });

  it('gets no write later than 5 s after a look at it, also if writes wait for the only connection', async () => {
    const own = eagerClock();
    const asked: { readonly request: string; readonly ms: number }[] = [];
    const options = { mode: 'full', runId: '20260101-000000-abcd', clock: own, target: { connections: 1 } } as const;
    const { client } = await aTinyClient(options, ({ method, path }) => {
      void own.sleep(1500);
      asked.push({ request: `${method} ${path}`, ms: own.monotonicMs() });
      return undefined;
    });
    for (const each of [1, 2, 3, 4, 5, 6]) await create(client, `${NAME}${each}`);
    await Promise.all(client.created().map(({ id }) => client.send('sgt', 'delete', { id })));
    const ages = asked
      .filter(({ request }) => request.startsWith('DELETE'))
      .map(({ request, ms }) => {
        const looks = asked.filter((one) => one.request === request.replace('DELETE', 'GET') && one.ms < ms);
        return ms - (looks.at(-1)?.ms ?? 0);
      });
    expect(ages.filter((age) => age > 5000)).toEqual([]);
    expect(ages).toHaveLength(6);
  });

  it('gets no write where a colleague renamed it since the last look, however good that was', async () => {
    let isTheirs = false;
    const own = eagerClock();
    const client = await open(
      theirsOnce(() => isTheirs),
      own,
    );
    await create(client);
    const id = idOf(client);
    await client.send('sgt', 'read', { id });
    isTheirs = true;
    await own.sleep(6000);
    await removeCreated(client, { clock: own });
    expect([writes(id), client.leftAlone()]).toMatchObject([[], [{ id, name: 'Prod' }]]);
  });
});

describe('a record that was there before', () => {
  it.each(['delete', 'update'] as const)(
    'gets no bulk %s where lists and reads show it under a name of the run',
    async (action) => {
      const client = await open(({ method, path }, standard) => {
        if (path.endsWith('/bulk/submit')) return { status: 202 };
        if (path === `${FAMILY}/theirs`) return shown({ ...THEIRS, name: NAME });
        if (method !== 'GET') return undefined;
        const listed = standard({ method, path, body: '' });
        const resources = [{ id: 'theirs', name: NAME }];
        return path.startsWith(`${FAMILY}?`) ? { ...listed, body: { SearchResult: { total: 1, resources } } } : listed;
      });
      await client.send('sgt', 'list', { list: { size: 100 } });
      const fields = { operationType: action };
      await client.send('sgt', 'bulkSubmit', { fields, bulk: { action: 'create', records: [{ name: NAME }] } });
      expect(client.adopt({ family: 'sgt', id: 'theirs', name: NAME })).toBe(false);
      const bulk = { action, records: [{ id: 'theirs', name: NAME }] };
      await expect(client.send('sgt', 'bulkSubmit', { fields, bulk })).rejects.toThrow(/did not create/);
      const sneaked = client.send('sgt', 'bulkSubmit', { fields: { ...fields, idList: { id: ['theirs'] } } });
      await expect(sneaked).rejects.toThrow(/in bulk that nobody named/);
      expect(target.requests.filter(({ path }) => path.endsWith('/bulk/submit'))).toHaveLength(1);
    },
  );

  it('is not taken for ours where the target answers its id in other case', async () => {
    const client = await open(({ method, path }, standard) => {
      if (method === 'POST') return { status: 201, headers: { Location: `${FAMILY}/THEIRS` } };
      if (/\/theirs$/i.test(path)) return shown({ ...THEIRS, id: path.split('/')[4], name: NAME });
      const listed = standard({ method, path, body: '' });
      return path.startsWith(`${FAMILY}?`)
        ? { ...listed, body: { SearchResult: { total: 1, resources: [THEIRS] } } }
        : listed;
    }, clock);
    await client.send('sgt', 'list', { list: { size: 100 } });
    await create(client);
    await removeCreated(client, { clock });
    expect(writes('THEIRS')).toEqual([]);
    expect(client.leftAlone()).toMatchObject([{ id: 'THEIRS' }]);
  });
});

it('an item of a bulk request is in the journal by itself before it is sent, and removed at the end', async () => {
  const { client, journal, ...opened } = await aTinyClient({ mode: 'full' }, ({ method, path, body }, standard) => {
    if (!path.endsWith('/bulk/submit')) return undefined;
    const { resource } = JSON.parse(body).SgtBulkRequest.resourcesList;
    for (const one of resource) standard({ method: 'POST', path: FAMILY, body: JSON.stringify({ Sgt: one }) });
    return method === 'PUT' ? { status: 202 } : undefined;
  });
  await client.send('sgt', 'list', { list: { size: 100 } });
  const records = [{ name: 'cfm-a' }, { name: 'cfm-b' }];
  await client.send('sgt', 'bulkSubmit', { fields: { operationType: 'create' }, bulk: { action: 'create', records } });
  expect(journal.map(({ event, name }) => [event, name])).toEqual([
    ['intent', 'cfm-a'],
    ['intent', 'cfm-b'],
  ]);
  const { residue } = await removeCreated(client, { clock });
  expect([opened.target.records('sgt'), residue]).toEqual([[], []]);
});

it('the number of writes of a family grows when one is sent and answered, and while bulk may be at work', async () => {
  const client = await open(() => undefined);
  await create(client);
  const id = idOf(client);
  let last = client.writes('sgt');
  const grows = async (work: () => Promise<unknown>) => {
    await work();
    const [before, now] = [last, client.writes('sgt')];
    last = now;
    return now > before;
  };
  const fields = { id, name: NAME, value: 6 };
  expect(await grows(() => client.send('sgt', 'update', { id, fields }))).toBe(true);
  expect(await grows(() => client.send('sgt', 'read', { id }))).toBe(false);
  const bulk = { action: 'update', records: [fields] } as const;
  expect(await grows(() => client.send('sgt', 'bulkSubmit', { fields: { operationType: 'update' }, bulk }))).toBe(true);
  expect(await grows(() => client.send('sgt', 'bulkMonitor', { bulkId: 'x' }))).toBe(true);
});
