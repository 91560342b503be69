import { describe, expect, it, onTestFinished } from 'vitest';
import { aClient } from '../../../helpers/a-client.ts';
import { cappedFront } from '../../../helpers/capped-front.ts';
import { EMPTY_LIST, json, type StubAnswer, stubOfTest } from '../../../helpers/stub-target.ts';

const listAll: StubAnswer = (_, response) => void setImmediate(() => json(response, 200, EMPTY_LIST));

/** A client of a target that takes so many connections at a time. */
async function capped(cap: number, connections = 4, answer = listAll) {
  const target = await stubOfTest(answer);
  const front = await cappedFront(target.baseUrl, cap);
  onTestFinished(front.close);
  return { front, ...aClient(front.baseUrl, { target: { connections } }) };
}

const lists = (client: ReturnType<typeof aClient>['client'], count: number) =>
  Promise.all(Array.from({ length: count }, () => client.send('sgt', 'list')));

describe('the connections of a client', () => {
  it('are counted up to the cap of a target by a trial, after which none is open', async () => {
    const { front, client, exchanges } = await capped(7);
    await lists(client, 20);
    expect(await client.tryConnections('sgt', 12)).toMatchObject({ served: 7 });
    expect(await client.tryConnections('sgt', 7)).toEqual({ asked: 7, served: 7 });
    await expect.poll(front.open).toBe(0);
    expect(exchanges).toHaveLength(20);
    expect(client.requests()['GET']).toBeGreaterThanOrEqual(20 + 8 + 7);
  });

  it('have no cap where a target loses some by chance', async () => {
    let number = 0;
    const { client } = await capped(100, 4, (request, response, raw) => {
      number += 1;
      if (number % 5 === 0) raw.socket.destroy();
      else listAll(request, response, raw);
    });
    expect(await client.tryConnections('sgt', 30)).toEqual({ asked: 30, served: 30 });
  });

  it('are no more than a limit that is set later', async () => {
    const { front, client } = await capped(100, 10);
    await client.useConnections(2);
    await lists(client, 40);
    expect(front.most()).toBeLessThanOrEqual(2);
    await client.useConnections(99);
    await lists(client, 100);
    expect(front.most()).toBe(10);
  });
});
