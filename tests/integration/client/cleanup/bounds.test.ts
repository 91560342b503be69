import { expect, it } from 'vitest';
import { fingerprint } from '../../../../conformance/engine/fingerprint.ts';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { aStubClient, aTinyClient } from '../../../helpers/a-client.ts';
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
