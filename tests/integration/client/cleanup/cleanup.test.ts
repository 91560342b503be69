import { describe, expect, it } from 'vitest';
import { applyEndpoint } from '../../../../lib/client/anc/state.ts';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { runPrefix } from '../../../../lib/run-name.ts';
import { ANC_POOL, anAncClient, aStubClient, aTinyClient, eagerClock } from '../../../helpers/a-client.ts';
import { EMPTY_LIST, json } from '../../../helpers/stub-target.ts';
import { colleagueOn } from '../../../helpers/target-print.ts';
import type { TinyLie } from '../../../helpers/tiny-target.ts';

const clock = eagerClock();
const { macAddress } = ANC_POOL.at(4);

/** A client that may write to what it makes, on a target that answers some requests otherwise. */
const ownData = (lie?: TinyLie) => aTinyClient({ mode: 'own-data' }, lie);

/** A delete of the first record does nothing, and is answered with success. */
const ignores = ({ method, path }: Parameters<TinyLie>[0]) =>
  method === 'DELETE' && path.endsWith('/id-1') ? { status: 204 } : undefined;

const create = (name: string) => ({ fields: { name, value: 7 } });

describe('cleaning up', () => {
  it('removes newest first, with retries, and proves each removal', async () => {
    let fails = 2;
    const { target, client } = await ownData(({ method }) =>
      method === 'DELETE' && fails-- > 0 ? { status: 500 } : undefined,
    );
    for (const name of ['a', 'b']) await client.send('sgt', 'create', create(name));
    expect(await removeCreated(client, { clock })).toEqual({ created: 2, removed: 2, residue: [] });
    expect(target.records('sgt')).toEqual([]);
    const deletes = target.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path.at(-1));
    expect(deletes).toEqual(['2', '1', '2', '1']);
  });

  it('reports what the target refuses to remove, with a command that holds no credentials', async () => {
    const { target, client } = await ownData(({ method, path }) =>
      method === 'DELETE' && path.endsWith('/id-2') ? { status: 403 } : undefined,
    );
    for (const name of ['a', 'b']) await client.send('sgt', 'create', create(name));
    const { created, removed, residue } = await removeCreated(client, { clock });
    expect([created, removed]).toEqual([2, 1]);
    const command = `curl -u "$ERS_USERNAME:$ERS_PASSWORD" -X DELETE -H 'Accept: application/json' -H 'Content-Type: application/json' '${target.baseUrl}/ers/config/sgt/id-2'`;
    const why = 'its delete was answered 403';
    expect(residue).toEqual([{ family: 'sgt', id: 'id-2', name: 'b', command, why }]);
  });

  it('reports a record whose delete is answered 404 if a read is answered well, whatever it shows, and no list shows it', async () => {
    let isMade = false;
    const { client } = await ownData(({ method, path }) => {
      if (method === 'DELETE') return { status: 404 };
      if (method !== 'GET' || !isMade) return undefined;
      return { status: 200, body: path.endsWith('/id-1') ? ['of another kind'] : EMPTY_LIST };
    });
    await client.send('sgt', 'create', create('a'));
    await client.send('sgt', 'read', { id: 'id-1' });
    isMade = true;
    expect(await removeCreated(client, { clock })).toMatchObject({ created: 1, removed: 0, residue: [{ id: 'id-1' }] });
  });

  it.each([
    ['that is there all the same', false],
    ['that the list shows, although a read says that it is gone', true],
  ])(
    'reports a record whose delete is answered with success and %s, also when a check deleted it',
    async (_, denies) => {
      let isDeleted = false;
      const { client } = await ownData((asked) => {
        if (denies && isDeleted && asked.method === 'GET' && asked.path.endsWith('/id-1')) return { status: 404 };
        isDeleted ||= ignores(asked) !== undefined;
        return ignores(asked);
      });
      for (const name of ['a', 'b']) await client.send('sgt', 'create', create(name));
      await client.send('sgt', 'delete', { id: 'id-1' });
      expect(client.created().map(({ id }) => id)).toEqual(['id-2']);
      expect(await removeCreated(client, { clock })).toMatchObject({
        created: 2,
        removed: 1,
        residue: [{ id: 'id-1' }],
      });
    },
  );

  it('finds records whose id never became known by their name', async () => {
    const { client, target } = await ownData((asked, standard) =>
      asked.method === 'POST' ? { status: standard(asked).status } : undefined,
    );
    await colleagueOn({ ...target, username: '', password: '' }).makes({ name: 'somebody else' });
    await client.send('sgt', 'create', create('lost'));
    expect(client.created()).toEqual([]);
    expect(await removeCreated(client, { clock })).toMatchObject({ created: 1, removed: 1, residue: [] });
    expect(target.records('sgt').map(({ name }) => name)).toEqual(['somebody else']);
    expect(client.unresolved()).toEqual([]);
  });

  it.each([
    ['leaves a record alone that bore the name before it was sent', 'null', []],
    ['keeps a name on the list that no run but this one gives', `${runPrefix('run-1')}a`, [`${runPrefix('run-1')}a`]],
  ])('%s', async (_, name, left) => {
    const older = { SearchResult: { total: 1, resources: [{ id: 'older', name }] } };
    const { target, client } = await aStubClient({ mode: 'own-data', clock }, ({ method }, response) =>
      method === 'POST' ? json(response, 500, {}) : json(response, 200, older),
    );
    await client.send('sgt', 'list');
    await client.send('sgt', 'create', create(name));
    const { created, residue } = await removeCreated(client, { clock });
    expect([created, residue.map((one) => one.name)]).toEqual([0, left]);
    expect(target.seen.some(({ method }) => method === 'DELETE')).toBe(false);
  });

  it('reports a create of which nobody can say what became of it', async () => {
    const { client } = await aStubClient({ mode: 'own-data', clock }, (_, response) => json(response, 500, {}));
    await client.send('sgt', 'create', create('lost'));
    const { residue } = await removeCreated(client, { clock });
    const why = 'its list was answered 500';
    expect(residue).toMatchObject([{ family: 'sgt', name: 'lost', why, command: expect.stringContaining('-X GET') }]);
  });

  it('names a record that was shown and is gone without a delete of it, or of one that it refers to', async () => {
    const { client, target } = await ownData();
    for (const name of ['a', 'b']) await client.send('sgt', 'create', create(name));
    await client.send('sgtvnvlan', 'create', { fields: { name: 'c', sgtId: 'id-2' } });
    const made = ['sgt', 'sgt', 'sgtvnvlan'].map((family, at) => [family, { id: `id-${at + 1}` }] as const);
    const look = () => Promise.all(made.map(([family, one]) => client.send(family, 'read', one)));
    await look();
    await client.send('sgt', 'delete', { id: 'id-2' });
    const { ask } = colleagueOn({ ...target, username: '', password: '' });
    await Promise.all([ask('sgt/id-1', 'DELETE'), ask('sgtvnvlan/id-3', 'DELETE')]);
    await look();
    const { created, removed, leftAlone } = await removeCreated(client, { clock });
    expect([created, removed, leftAlone?.map(({ id }) => id)]).toEqual([3, 2, ['id-1']]);
  });

  it('names records that were left on another deployment, one before its delete and one before any look', async () => {
    let isOther = false;
    const { client } = await ownData(({ method, path }) => {
      if (!isOther || method === 'POST') return undefined;
      return path.endsWith('/sgt') || path.includes('?') ? { status: 200, body: EMPTY_LIST } : { status: 404 };
    });
    for (const name of ['a', 'b', 'c']) await client.send('sgt', 'create', create(name));
    await client.send('sgt', 'delete', { id: 'id-1' });
    await client.send('sgt', 'read', { id: 'id-2' });
    isOther = true;
    await client.send('sgt', 'delete', { id: 'id-2' });
    const { created, removed, leftAlone = [] } = await removeCreated(client, { clock });
    expect([created, removed, leftAlone.map(({ id }) => id)]).toEqual([3, 1, ['id-2', 'id-3']]);
  });

  it('clears endpoints, and reports those that still hold a policy with the command that clears them', async () => {
    for (const keeps of [false, true]) {
      const { anc, client } = await anAncClient({ keeps });
      await applyEndpoint(client, macAddress, 'Test');
      const { residue, removed } = await removeCreated(client, { clock });
      expect([anc.held.size, removed]).toEqual(keeps ? [1, 0] : [0, 1]);
      expect(residue.map(({ id }) => id)).toEqual(keeps ? [macAddress] : []);
      if (keeps) expect(residue[0]?.command).toContain(`{"name":"macAddress","value":"${macAddress}"}`);
    }
  });
});

it('cleaning up on a target whose list is longer than anybody reads reads a part of it, and reports the endpoints as left', async () => {
  const { target, client } = await anAncClient({ more: 20_000 });
  await applyEndpoint(client, macAddress, 'Test');
  const { residue } = await removeCreated(client, { clock });
  expect(residue.map(({ id }) => id)).toEqual([macAddress]);
  expect(target.seen.length).toBeLessThan(3500);
});

it('cleaning up on a target that has stopped answering ends after a few time limits and reports everything as left', async () => {
  let silent = false;
  let made = 0;
  const { target, client } = await aStubClient({ mode: 'own-data', target: { timeoutMs: 250 } }, (_, response) => {
    made += 1;
    if (!silent) json(response, 201, undefined, { Location: `/ers/config/sgt/id-${made}` });
  });
  for (let record = 0; record < 30; record += 1) await client.send('sgt', 'create', create(`n${record}`));
  silent = true;
  const asked = target.seen.length;
  const { created, removed, residue } = await removeCreated(client, { clock });
  expect([created, removed, residue.length]).toEqual([30, 0, 30]);
  expect(target.seen.length - asked).toBeLessThanOrEqual(4);
});
