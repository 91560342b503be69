import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../../../conformance/engine/fingerprint.ts';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { runPrefix } from '../../../../lib/run-name.ts';
import { aStubClient, aTinyClient, eagerClock } from '../../../helpers/a-client.ts';
import { json, type StubAnswer } from '../../../helpers/stub-target.ts';

/** Answers creates, and from then on asks to come back later. */
function maintenance(): StubAnswer {
  let creates = 0;
  return ({ method, url }, response) => {
    if (method === 'POST' && creates++ < 3) return json(response, 201, undefined, { Location: `${url}/id-${creates}` });
    json(response, 503, {}, { 'Retry-After': '30' });
  };
}

it('the clean-up of an ended run ends though each answer asks to wait, and names what it did not reach', async () => {
  const controller = new AbortController();
  const options = { mode: 'own-data', signal: controller.signal, cleanupMs: () => 300 } as const;
  const { target, client } = await aStubClient(options, maintenance());
  for (const name of ['cfm-a', 'cfm-b']) await client.send('sgt', 'create', { fields: { name, value: 1 } });
  controller.abort(new Error('ended by SIGINT'));
  const before = target.seen.length;
  const { residue } = await removeCreated(client, { clock: systemClock });
  expect(target.seen.length).toBeGreaterThan(before);
  expect(residue.map(({ id }) => id).sort()).toEqual(['id-1', 'id-2']);
});

it('a full disk: the journal is cleaned up, and nothing is sent that could not be written down', async () => {
  let isFull = false;
  const full = () => {
    if (isFull) throw new Error('ENOSPC: no space left on device');
  };
  const options = { mode: 'own-data', onJournal: full, onExchange: full, journalSynced: async () => full() } as const;
  const { target, client } = await aTinyClient(options);
  const create = (name: string) => client.send('sgt', 'create', { fields: { name, value: 1 } });
  for (const name of ['cfm-a', 'cfm-b']) await create(name);
  isFull = true;
  const before = target.requests.length;
  await expect(create('cfm-c')).rejects.toThrow('no space');
  expect(target.requests.length).toBe(before);
  const { residue, removed } = await removeCreated(client, { clock: systemClock });
  expect([residue, removed, target.records('sgt')]).toEqual([[], 2, []]);
});

it('the look before the first write ends with the run although the target asks to wait', async () => {
  const controller = new AbortController();
  const { client } = await aStubClient({ mode: 'own-data', signal: controller.signal }, maintenance());
  setImmediate(() => controller.abort(new Error('ended by SIGINT')));
  const { unknown } = await fingerprint(client, FAMILIES, Object.keys(FAMILIES));
  expect(unknown.length).toBeGreaterThan(5);
});

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

it.each<[string, string, (held: Readonly<Record<string, unknown>>) => boolean, number]>([
  ['for what its texts hold is removed with plain ones', 'a-b', ({ name }) => String(name).includes(' '), 0],
  ['for the length of its texts', 'x'.repeat(60), ({ description }) => String(description).length > 40, 0],
  ['whatever it holds is updated once, and left', 'a-b', () => true, 1],
])('a record whose delete is refused %s', async (_, description, isKept, left) => {
  const { target, client } = await aTinyClient({ mode: 'own-data', clock: eagerClock() }, (asked, standard) => {
    const { Sgt } = (standard({ ...asked, method: 'GET' }).body ?? {}) as { Sgt?: Record<string, unknown> };
    return asked.method === 'DELETE' && Sgt !== undefined && isKept(Sgt) ? { status: 500 } : undefined;
  });
  await client.send('sgt', 'create', {
    fields: { name: `${runPrefix(client.options.runId)}a b`, description, value: 7 },
  });
  client.refuse('sgt', 'a record that was updated could not be removed again', 'update');
  const { removed, residue } = await removeCreated(client, { clock: eagerClock() });
  expect([removed, residue.length]).toEqual([1 - left, left]);
  const updates = target.requests.flatMap(({ method, body }) => (method === 'PUT' ? [JSON.parse(body)] : []));
  expect(updates).toMatchObject([{ Sgt: { description: description.replace('-', '').slice(0, 24), value: 7 } }]);
});

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
