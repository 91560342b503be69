import { describe, expect, it } from 'vitest';
import { freePool } from '../../../../lib/client/anc/free-pool.ts';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { applyEndpoint, clearEndpoint, seenHoldings } from '../../../../lib/client/anc/state.ts';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import { ANC_POOL, anAncClient, eagerClock } from '../../../helpers/a-client.ts';
import { json } from '../../../helpers/stub-target.ts';

const clock = eagerClock();
const named = ANC_POOL.at(4).macAddress;

describe('a policy that somebody else put on an endpoint since', () => {
  it('is cleared only if it is that of the run, also if another came while the clean-up cleared others', async () => {
    const pool = readPool('02:00:00:00:00:00+600@10.0.0.0');
    const [before, last] = [0, 599].map((index) => pool.at(index).macAddress) as [string, string];
    const { anc, client } = await anAncClient({}, { pool, clock }, ({ url }) => {
      if (url.endsWith('/clear')) anc.held.set(last, 'Other');
      void clock.sleep(20);
      return false;
    });
    for (let index = 0; index < pool.size; index += 1) {
      anc.held.set(pool.at(index).macAddress, 'Test');
      client.mark('applied', pool.at(index).macAddress);
    }
    anc.held.set(before, 'Other');
    const { residue } = await removeCreated(client, { clock });
    expect([...anc.held.keys()]).toEqual([before, last]);
    // What is shown may be another name for the policy of the run.
    expect(residue).toMatchObject([before, last].map((id) => ({ id, standing: 'doubtful' })));
  });

  it.each(['', 'Other'])('is left alone once that of the run was cleared: "%s"', async (policy) => {
    const { anc, client } = await anAncClient({}, { clock });
    await applyEndpoint(client, named, 'Test');
    await clearEndpoint(client, named);
    anc.held.set(named, policy);
    const { residue } = await removeCreated(client, { clock });
    expect(residue.map(({ standing }) => standing)).toEqual(policy === '' ? ['doubtful'] : []);
    expect([...anc.held.values()]).toEqual([policy]);
  });
});

it('a policy of the run is left alone on an endpoint that it cleared, under another record than its own', async () => {
  const free = freePool(ANC_POOL);
  const ids = { id: named };
  const { anc, client } = await anAncClient({}, { pool: free, clock }, ({ method, url }, response) => {
    const isOf = ids.id !== named && method === 'GET';
    const record = { id: ids.id, macAddress: named, policyName: 'Test' };
    if (isOf && url.endsWith(ids.id)) json(response, 200, { ErsAncEndpoint: record });
    else if (isOf) json(response, 200, { SearchResult: { total: 1, resources: [record] } });
    return isOf;
  });
  await free.settle(client, false);
  await applyEndpoint(client, named, 'Test');
  await seenHoldings(client);
  await clearEndpoint(client, named);
  anc.held.set(named, 'Test');
  ids.id = 'of-a-colleague';
  const { residue } = await removeCreated(client, { clock });
  expect([...anc.held.keys()]).toEqual([named]);
  expect(residue).toMatchObject([{ id: named, standing: 'doubtful' }]);
  // It is ours again once the run puts one there.
  client.mark('applied', named);
  expect(client.foreignOn(named)).toBeUndefined();
});

it.each([false, true])('what another deployment holds is named, and not what was cleared late: %s', async (isLate) => {
  let clears = 0;
  const { anc, client } = await anAncClient({}, { clock }, ({ url }, response) => {
    const isFirst = isLate && url.endsWith('/clear') && ++clears === 1;
    if (isFirst) json(response, 504, {});
    return isFirst;
  });
  await applyEndpoint(client, named, 'Test');
  if (isLate) await clearEndpoint(client, named);
  anc.held.clear();
  const { residue, leftAlone } = await removeCreated(client, { clock });
  expect([residue, leftAlone?.map(({ id }) => id)]).toEqual([[], isLate ? undefined : [named]]);
});
