import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { freePool } from '../../../../lib/client/anc/free-pool.ts';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { normalAddress } from '../../../../lib/client/safety/targets.ts';
import { aStubClient } from '../../../helpers/a-client.ts';
import { ancStub } from '../../../helpers/anc-target.ts';
import { EMPTY_LIST, json, type SeenRequest } from '../../../helpers/stub-target.ts';

type Lie = (request: SeenRequest, response: ServerResponse) => boolean;

describe('a pool without the endpoints that hold a policy', () => {
  it('numbers the others without a gap, and finds each by either of its addresses', async () => {
    const pool = readPool('02:00:00:00:00:00+6@10.0.0.0');
    const anc = ancStub({});
    for (const index of [1, 3]) anc.held.set(pool.at(index).macAddress, 'Other');
    const { client } = await aStubClient({ mode: 'full', pool, policies: ['Test'] }, anc.answer);
    const free = freePool(pool);
    await free.settle(client, false);
    expect(free.size).toBe(4);
    for (let index = 0; index < free.size; index += 1) {
      const { macAddress, ipAddress = '' } = free.at(index);
      expect([free.indexOf(normalAddress(macAddress)), free.indexOf(ipAddress)]).toEqual([index, index]);
    }
    expect(free.indexOf(pool.at(1).macAddress)).toBeUndefined();
    expect([0, 1].map((index) => free.wasFree?.(pool.at(index).macAddress))).toEqual([true, false]);
  });

  const isFilter = (url: string) => url.includes('filter=');
  const says = (status: number, body: object) => (response: ServerResponse) => {
    json(response, status, body);
    return true;
  };
  const [unlisted, nothing] = [says(500, {}), says(200, EMPTY_LIST)];
  const LIES: readonly (readonly [string, Lie, number])[] = [
    ['finds them by the filter where the list is too long to walk', () => false, 38],
    ['takes none where the list answers an error', ({ url }, answer) => !isFilter(url) && unlisted(answer), 0],
    ['takes none where the filter finds nothing', ({ url }, answer) => isFilter(url) && nothing(answer), 0],
    ['takes none where neither is answered', (_, answer) => unlisted(answer), 0],
  ];
  it.each(LIES)('%s', async (_, lie, free) => {
    const pool = readPool('02:00:00:00:00:00+40@10.0.0.0');
    const anc = ancStub({ endless: true });
    for (const index of [1, 3]) anc.held.set(pool.at(index).macAddress, 'Other');
    anc.held.set('02:00:00:00:AB:CD', 'Other');
    const { client } = await aStubClient(
      { mode: 'full', pool, policies: ['Test'] },
      (request, answer) => lie(request, answer) || anc.answer(request, answer),
    );
    const view = freePool(pool);
    await view.settle(client, false);
    expect(view.size).toBe(free);
    expect([1, 3].map((index) => view.wasFree(pool.at(index).macAddress))).toEqual([false, false]);
  });
});
