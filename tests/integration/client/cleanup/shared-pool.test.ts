import { expect, it } from 'vitest';
import { freePool, lookBeforeAnc } from '../../../../lib/client/anc/free-pool.ts';
import { othersInPool, sharedPool } from '../../../../lib/client/anc/shared-pool.ts';
import { applyEndpoint, clearEndpoint, seenHoldings } from '../../../../lib/client/anc/state.ts';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { ancFields } from '../../../../lib/wire/anc.ts';
import { ANC_POOL, anAncClient, eagerClock } from '../../../helpers/a-client.ts';
import type { AncStubOptions } from '../../../helpers/anc-target.ts';

const macOf = (index: number) => ANC_POOL.at(index).macAddress;
const [named, cleared, other, third] = [macOf(1), macOf(2), macOf(7), macOf(8)];

/** A run that holds one endpoint and has cleared another; `acts` is what a colleague does once the run writes no more, at the n-th list. */
async function beside(acts: (held: Map<string, string>, lists: number) => void, bent: AncStubOptions = {}) {
  let [lists, isOver] = [0, false];
  const free = freePool(ANC_POOL);
  const clock = eagerClock();
  const { anc, client } = await anAncClient(bent, { pool: free, clock }, ({ method, url }) => {
    if (isOver && method === 'GET' && !url.includes('/id-')) acts(anc.held, ++lists);
    return false;
  });
  await free.settle(client, false);
  await applyEndpoint(client, named, 'Test');
  await applyEndpoint(client, cleared, 'Test');
  await seenHoldings(client);
  await clearEndpoint(client, cleared);
  return {
    ...{ anc, client, clock },
    over() {
      isOver = true;
    },
  };
}

it.each<[string, Parameters<typeof beside>[0], string | undefined]>([
  ['a policy comes to an endpoint that the run never named', (held, at) => at === 7 && held.set(other, 'Test'), other],
  ['a policy of another name comes', (held, at) => at === 7 && held.set(cleared, 'Other'), cleared],
  ['a policy goes from such an endpoint', (held, at) => at === 7 && held.delete(third), third],
  ['nothing happens', () => undefined, undefined],
  ['the policy of the run goes, as a target may lose it', (held, at) => at === 7 && held.delete(named), undefined],
  ['the policy that was cleared comes back', (held, at) => at === 7 && held.set(cleared, 'Test'), undefined],
])('a pool is known to be shared if %s: tells so', async (_, acts, mac) => {
  const { client, clock, anc, over } = await beside(acts);
  anc.held.set(third, 'Test');
  over();
  const why = await othersInPool(client, { clock, settleMs: 1000 });
  expect(why?.includes(mac ?? '')).toBe(mac === undefined ? undefined : true);
  expect(sharedPool(client)).toBe(why);
  if (why !== undefined) expect(why).toContain('give each run a pool of its own');
});

it('a policy of the run on an endpoint that it never named is left alone and told if others are seen in the pool', async () => {
  const turns = (held: Map<string, string>, at: number) => (at % 6 < 3 ? held.delete(third) : held.set(third, 'Test'));
  const { client, clock, anc, over } = await beside(turns);
  anc.held.set(other, 'Test');
  over();
  const { residue } = await removeCreated(client, { clock });
  expect([anc.held.has(other), anc.held.has(named)]).toEqual([true, false]);
  expect(residue).toContainEqual(expect.objectContaining({ id: other, standing: 'doubtful' }));
});

it('an endpoint that no write of the run named is not cleared by a check while a look shows it with a policy of the run', async () => {
  const { client, anc } = await beside(() => undefined);
  anc.held.set(other, 'Test');
  for (const macAddress of [other, named]) await lookBeforeAnc(client, ancFields('clear-by-mac', { macAddress }));
  await expect(clearEndpoint(client, other)).rejects.toThrow('shown with the policy "Test"');
  await clearEndpoint(client, named);
  expect([...anc.held.keys()]).toEqual([other]);
});
