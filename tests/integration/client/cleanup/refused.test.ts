import { expect, it } from 'vitest';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { runPrefix } from '../../../../lib/run-name.ts';
import { aTinyClient, eagerClock } from '../../../helpers/a-client.ts';

/** A client with one record, on a target that refuses its delete for what it holds. */
async function keeping(isKept: (held: Readonly<Record<string, unknown>>) => boolean, description = 'a-b') {
  const { target, client } = await aTinyClient({ mode: 'own-data', clock: eagerClock() }, (asked, standard) => {
    const { Sgt } = (standard({ ...asked, method: 'GET' }).body ?? {}) as { Sgt?: Record<string, unknown> };
    return asked.method === 'DELETE' && Sgt !== undefined && isKept(Sgt) ? { status: 500 } : undefined;
  });
  const name = `${runPrefix(client.options.runId)}a b`;
  await client.send('sgt', 'create', { fields: { name, description, value: 7 } });
  return { client, target };
}

it('a record whose delete is refused for what its texts hold is removed with plain ones', async () => {
  const { client, target } = await keeping(({ name }) => String(name).includes(' '));
  client.refuse('sgt', 'a record that was updated could not be removed again', 'update');
  const { removed, residue } = await removeCreated(client, { clock: eagerClock() });
  expect([removed, residue]).toEqual([1, []]);
  const [update] = target.requests.filter(({ method }) => method === 'PUT');
  expect(JSON.parse(update?.body ?? '')).toMatchObject({ Sgt: { description: 'ab', value: 7 } });
});

it('a record whose delete is refused for the length of its texts is removed with short ones', async () => {
  const { client } = await keeping(({ description }) => String(description).length > 40, 'x'.repeat(60));
  const { removed, residue } = await removeCreated(client, { clock: eagerClock() });
  expect([removed, residue]).toEqual([1, []]);
});

it('a record whose delete is refused whatever it holds is updated once, and left', async () => {
  const { client, target } = await keeping(() => true);
  const { residue } = await removeCreated(client, { clock: eagerClock() });
  expect(residue.length).toBe(1);
  expect(target.requests.filter(({ method }) => method === 'PUT').length).toBe(1);
});
