import { afterEach, describe, expect, it } from 'vitest';
import { aClient } from '../../../helpers/a-client.ts';
import { type CappedFront, cappedFront } from '../../../helpers/capped-front.ts';
import { json, type StubTarget, stubTarget } from '../../../helpers/stub-target.ts';

const EMPTY_LIST = { SearchResult: { total: 0, resources: [] } };
const opened: (StubTarget | CappedFront)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function cappedTarget(cap: number, answer: Parameters<typeof stubTarget>[0] = listAll) {
  const target = await stubTarget(answer);
  const front = await cappedFront(target.baseUrl, cap);
  opened.push(target, front);
  return { target, front };
}

const listAll: Parameters<typeof stubTarget>[0] = (_, response) => {
  setImmediate(() => json(response, 200, EMPTY_LIST));
};

const lists = (client: ReturnType<typeof aClient>['client'], count: number) =>
  Promise.all(Array.from({ length: count }, () => client.send('sgt', 'list')));

describe('the connections of a client', () => {
  it('are closed when others are to be used, and opened again by the next request', async () => {
    const { front } = await cappedTarget(100);
    const { client } = aClient(front.baseUrl, { target: { connections: 4 } });
    await lists(client, 20);
    expect(front.open()).toBeGreaterThan(1);
    await client.useConnections(4);
    await expect.poll(front.open).toBe(0);
    expect((await client.send('sgt', 'list')).status).toBe(200);
    expect(front.open()).toBe(1);
    await client.close();
  });

  it('are counted up to the cap of a target by a trial, after which none is open', async () => {
    const { front } = await cappedTarget(7);
    const { client, exchanges } = aClient(front.baseUrl, { target: { connections: 4 } });
    await lists(client, 20);
    expect(await client.tryConnections('sgt', 12)).toMatchObject({ served: 7 });
    expect(await client.tryConnections('sgt', 7)).toEqual({ asked: 7, served: 7 });
    await expect.poll(front.open).toBe(0);
    expect(exchanges).toHaveLength(20);
    expect(client.requests()['GET']).toBeGreaterThanOrEqual(20 + 8 + 7);
    await client.close();
  });

  it('have no cap where a target loses some by chance', async () => {
    let number = 0;
    const { front } = await cappedTarget(100, (request, response, raw) => {
      number += 1;
      if (number % 5 === 0) raw.socket.destroy();
      else listAll(request, response, raw);
    });
    const { client } = aClient(front.baseUrl);
    expect(await client.tryConnections('sgt', 30)).toEqual({ asked: 30, served: 30 });
    await client.close();
  });

  it('are as many as a target takes, where it takes fewer than were allowed', async () => {
    const { front } = await cappedTarget(20);
    const { client } = aClient(front.baseUrl, { target: { connections: 64 } });
    const answers = await lists(client, 600);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const before = front.resets();
    await lists(client, 400);
    expect(front.resets() - before).toBeLessThan(5);
    await client.close();
  });

  it('are no more than a limit that is set later', async () => {
    const { front } = await cappedTarget(100);
    const { client } = aClient(front.baseUrl, { target: { connections: 10 } });
    await client.useConnections(2);
    await lists(client, 40);
    expect(front.most()).toBeLessThanOrEqual(2);
    await client.useConnections(99);
    await lists(client, 100);
    expect(front.most()).toBe(10);
    await client.close();
  });

  it('are so few on a target that works off little that no request times out', async () => {
    let freeMs = 0;
    const { target } = await cappedTarget(1000, (_, response) => {
      // 50 a second, one after the other.
      freeMs = Math.max(freeMs, performance.now()) + 20;
      setTimeout(() => json(response, 200, EMPTY_LIST), freeMs - performance.now());
    });
    // All 100 at once would take two seconds.
    const { client, exchanges } = aClient(target.baseUrl, { target: { connections: 100, timeoutMs: 1500 } });
    const answers = await lists(client, 150);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(exchanges.filter(({ fault }) => fault !== undefined)).toEqual([]);
    await client.close();
  });
});
