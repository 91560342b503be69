import { describe, expect, it } from 'vitest';
import { aStubClient, eagerClock } from '../../../helpers/a-client.ts';
import { EMPTY_LIST, json, type StubAnswer } from '../../../helpers/stub-target.ts';

/** A target that turns away what comes while so many are in work, and says nothing of when to come again. */
function busy(most: number): StubAnswer {
  let underWay = 0;
  return (_, response) => {
    if (underWay >= most) return json(response, 503, { message: 'too many requests' });
    underWay += 1;
    setTimeout(() => {
      underWay -= 1;
      json(response, 200, { Sgt: { id: 'x', name: 'mine' } });
    }, 5);
  };
}

describe('a target that turns away what is too much at one time', () => {
  it('is asked again, and by fewer at one time', async () => {
    const { target, client } = await aStubClient({}, busy(3));
    const rounds = [1, 2, 3].map(() => Array.from({ length: 20 }, () => client.send('sgt', 'read', { id: 'x' })));
    const answers = await Promise.all(rounds.flat());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const asked = target.seen.length;
    await Promise.all(Array.from({ length: 20 }, () => client.send('sgt', 'read', { id: 'x' })));
    expect(target.seen.length - asked).toBe(20);
  });

  it.each([409, 423, 429])(
    'is asked once more for a write that was alone, until that is in vain: %i',
    async (status) => {
      const clock = eagerClock();
      const { target, client } = await aStubClient({ mode: 'own-data', clock }, ({ method }, response) => {
        json(response, method === 'POST' ? status : 200, { Sgt: { id: 'x', name: 'mine' } });
      });
      const statuses = [];
      for (let each = 0; each < 5; each += 1)
        statuses.push((await client.send('sgt', 'create', { fields: { name: 'mine' } })).status);
      expect(statuses).toEqual(Array.from({ length: 5 }, () => status));
      expect(target.seen.filter(({ method }) => method === 'POST')).toHaveLength(8);
    },
  );

  it.each([
    [409, 409],
    [429, undefined],
  ])(
    'tells of a write that it refused for a moment with %i, unless it is busy, or another one was on its way',
    async (status, told) => {
      let turn = 0;
      const { client } = await aStubClient({ mode: 'own-data', clock: eagerClock() }, (_, response) => {
        turn += 1;
        const isFirst = turn % 2 === 1;
        setTimeout(
          () => json(response, isFirst ? status : 201, {}, isFirst ? {} : { Location: `/ers/config/sgt/${turn}` }),
          20,
        );
      });
      const create = (name: string) => client.send('sgt', 'create', { fields: { name } });
      expect((await create('one')).refusedAlone?.status).toBe(told);
      const both = await Promise.all([create('two'), create('three')]);
      expect(both.map(({ refusedAlone }) => refusedAlone)).toEqual([undefined, undefined]);
    },
  );

  it.each([408, 503])(
    'is asked again for a read that one of its nodes turns away, until that is in vain: %i',
    async (status) => {
      let turn = 0;
      const { target, client } = await aStubClient({ clock: eagerClock() }, ({ url }, response) => {
        if (url.endsWith('/at-times')) turn += 1;
        const isDown = url.endsWith('/down') || (url.endsWith('/at-times') && turn % 2 === 1);
        json(response, isDown ? status : 200, { Sgt: { id: 'x', name: 'mine' } });
      });
      const read = async (id: string) => (await client.send('sgt', 'read', { id })).status;
      const asked = (id: string) => target.seen.filter(({ url }) => url.endsWith(`/${id}`)).length;
      expect([await read('x'), await read('at-times')]).toEqual([200, 200]);
      const { client: other, target: down } = await aStubClient({ clock: eagerClock() }, ({ url }, response) =>
        json(response, url.endsWith('/down') ? status : 200, { Sgt: { id: 'x', name: 'mine' } }),
      );
      for (const id of ['x', ...Array.from({ length: 5 }, () => 'down')]) await other.send('sgt', 'read', { id });
      expect([asked('at-times'), down.seen.filter(({ url }) => url.endsWith('/down')).length]).toEqual([2, 8]);
    },
  );

  it('is not asked again about a request that was alone', async () => {
    const { target, client } = await aStubClient({}, busy(0));
    expect((await client.send('sgt', 'read', { id: 'x' })).status).toBe(503);
    expect(target.seen.length).toBe(1);
  });
});

it('looks that go back and forth after a write wait for their time, in its family alone', async () => {
  const at: { readonly method: string; readonly url: string; readonly ms: number }[] = [];
  const { client } = await aStubClient({ mode: 'own-data' }, ({ method, url }, response) => {
    at.push({ method, url, ms: performance.now() });
    if (method === 'POST') return json(response, 201, undefined, { Location: '/ers/config/sgt/1' });
    json(response, 200, { Sgt: { id: '1', name: 'mine' } });
  });
  client.waitToLook(200);
  await client.send('sgt', 'create', { fields: { name: 'mine' } });
  await Promise.all([client.send('node', 'read', { id: '1' }), client.send('sgt', 'read', { id: '1' })]);
  const [write, other, look] = at;
  expect([write?.method, other?.url, look?.url]).toEqual(['POST', '/ers/config/node/1', '/ers/config/sgt/1']);
  expect((look?.ms ?? 0) - (write?.ms ?? 0)).toBeGreaterThanOrEqual(190);
});

describe('a target that is down for a moment', () => {
  const read =
    (status: () => number): StubAnswer =>
    (_, response) =>
      json(response, status(), { Sgt: { id: 'x', name: 'mine' } });

  it('is waited for, whatever it is asked', async () => {
    let asked = 0;
    const isDown = () => {
      asked += 1;
      return asked > 10 && asked <= 20;
    };
    const { client } = await aStubClient(
      { clock: eagerClock() },
      read(() => (isDown() ? 503 : 200)),
    );
    const answers = [];
    for (let each = 0; each < 30; each += 1) answers.push((await client.send('sgt', 'read', { id: 'x' })).status);
    expect(answers.filter((status) => status === 503)).toEqual([]);
  });

  it('is not waited for again and again if it does not come back', async () => {
    const { target, client } = await aStubClient(
      { clock: eagerClock() },
      read(() => 503),
    );
    const sent = [];
    for (let each = 0; each < 40; each += 1)
      sent.push(client.send('sgt', 'read', { id: 'x' }).catch(({ code }) => code));
    expect((await Promise.all(sent)).slice(10)).toEqual(Array.from({ length: 30 }, () => 'out-of-service'));
    expect(target.seen.length).toBeLessThan(50);
  });
});

describe('a target that asks to wait', () => {
  it('is asked again after the seconds it named, and no other time', async () => {
    let answers = 0;
    const clock = eagerClock();
    const told: string[] = [];
    const onWait = (status: unknown, ms: number) => told.push(`${status} ${ms}`);
    const { client } = await aStubClient({ onWait, clock }, (_, response) => {
      answers += 1;
      if (answers === 1) return json(response, 503, {}, { 'Retry-After': '2' });
      if (answers === 2) return json(response, 429, {}, { 'Retry-After': '1' });
      json(response, 200, EMPTY_LIST);
    });
    expect((await client.send('sgt', 'list')).status).toBe(200);
    expect(clock.slept).toEqual([2000, 1000]);
    expect(told).toEqual(['503 2000', '429 1000']);
    expect(client.takenLater()).toEqual([{ answer: '503 "{}"', count: 1, request: 'GET sgt' }]);
  });

  it('is not waited for without an end', async () => {
    const { target, client } = await aStubClient({ clock: eagerClock() }, (_, response) =>
      json(response, 503, {}, { 'Retry-After': '1' }),
    );
    expect((await client.send('sgt', 'list')).status).toBe(503);
    expect([target.seen.length, client.takenLater()]).toEqual([4, []]);
  });

  it('gets no more requests a second than the run allows', async () => {
    const clock = eagerClock();
    const { client } = await aStubClient({ target: { requestsPerSecond: 4 }, clock }, (_, response) =>
      json(response, 200, EMPTY_LIST),
    );
    await client.send('sgt', 'list');
    await Promise.all([1, 2].map(() => client.send('sgt', 'list')));
    expect(clock.slept.map((ms) => Math.round(ms / 50) * 50)).toEqual([250, 250]);
  });
});
