import { expect, it } from 'vitest';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { runPrefix } from '../../../../lib/run-name.ts';
import { aStubClient, eagerClock } from '../../../helpers/a-client.ts';
import { json } from '../../../helpers/stub-target.ts';

const PLACE = '/ers/config/sgt/a';

/** A target with one record at most, whose delete it refuses for what the record holds. */
async function keeping(isKept: (held: Readonly<Record<string, unknown>>) => boolean) {
  let held: Record<string, unknown> | undefined;
  const { client, target } = await aStubClient({ mode: 'own-data' }, ({ method, url, body }, response) => {
    if (method === 'POST' || method === 'PUT') {
      held = { ...(JSON.parse(body) as { Sgt: Record<string, unknown> }).Sgt, id: 'a' };
      return method === 'POST' ? json(response, 201, undefined, { Location: PLACE }) : json(response, 200, {});
    }
    if (method === 'DELETE') {
      if (held !== undefined && isKept(held)) return json(response, 500, {});
      held = undefined;
      return json(response, 204, undefined);
    }
    if (url === PLACE) return held === undefined ? json(response, 404, {}) : json(response, 200, { Sgt: held });
    const resources = held === undefined ? [] : [{ id: 'a', name: held['name'] }];
    json(response, 200, { SearchResult: { total: resources.length, resources } });
  });
  const name = `${runPrefix(client.options.runId)}a b`;
  await client.send('sgt', 'create', { fields: { name, description: 'a-b', value: 7 } });
  return { client, target };
}

it('a record whose delete is refused for what its texts hold is removed with plain ones', async () => {
  const { client, target } = await keeping(({ name }) => String(name).includes(' '));
  client.refuse('sgt', 'a record that was updated could not be removed again', 'update');
  const { removed, residue } = await removeCreated(client, { clock: eagerClock() });
  expect([removed, residue]).toEqual([1, []]);
  const [update] = target.seen.filter(({ method }) => method === 'PUT');
  expect(JSON.parse(update?.body ?? '')).toMatchObject({ Sgt: { description: 'ab', value: 7 } });
});

it('a record whose delete is refused whatever it holds is updated once, and left', async () => {
  const { client, target } = await keeping(() => true);
  const { residue } = await removeCreated(client, { clock: eagerClock() });
  expect(residue.map(({ id }) => id)).toEqual(['a']);
  expect(target.seen.filter(({ method }) => method === 'PUT').length).toBe(1);
});
