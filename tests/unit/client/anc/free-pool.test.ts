import { describe, expect, it } from 'vitest';
import { freePool } from '../../../../lib/client/anc/free-pool.ts';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { normalAddress } from '../../../../lib/client/safety/targets.ts';
import { aClient } from '../../../helpers/a-client.ts';
import { ancStub } from '../../../helpers/anc-target.ts';
import { stubTarget } from '../../../helpers/stub-target.ts';

describe('a pool without the endpoints that hold a policy', () => {
  it('numbers the others without a gap, and finds each by either of its addresses', async () => {
    const pool = readPool('02:00:00:00:00:00+6@10.0.0.0');
    const anc = ancStub({});
    for (const index of [1, 3]) anc.held.set(pool.at(index).macAddress, 'Other');
    const target = await stubTarget(anc.answer);
    const { client } = aClient(target.baseUrl, { mode: 'full', pool, policies: ['Test'] });
    const free = freePool(pool);
    await free.settle(client, false);
    expect(free.size).toBe(4);
    for (let index = 0; index < free.size; index += 1) {
      const { macAddress, ipAddress = '' } = free.at(index);
      expect([free.indexOf(normalAddress(macAddress)), free.indexOf(ipAddress)]).toEqual([index, index]);
    }
    expect(free.indexOf(pool.at(1).macAddress)).toBeUndefined();
    expect([0, 1].map((index) => free.wasFree?.(pool.at(index).macAddress))).toEqual([true, false]);
    await client.close();
    await target.close();
  });
});
