import { describe, expect, it } from 'vitest';
import { aStubClient, eagerClock } from '../../helpers/a-client.ts';
import { EMPTY_LIST, json, type StubAnswer } from '../../helpers/stub-target.ts';

describe('a refused login', () => {
  it('is tried once, however many requests wait, and nothing is sent after it', async () => {
    const { target, client } = await aStubClient({ mode: 'own-data' }, (_, response) => json(response, 401, undefined));
    const sent = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(() => client.send('sgt', 'list')));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    for (const reason of reasons) expect(reason).toMatchObject({ name: 'TargetError', code: 'refused-login' });
    const create = client.send('sgt', 'create', { fields: { name: 'x' } });
    await expect(create).rejects.toMatchObject({ code: 'refused-login' });
    expect(target.seen).toHaveLength(1);
  });

  it('of a login made up for a check does not lock our own', async () => {
    const { client } = await aStubClient({}, ({ headers: { authorization: shown } }, response) =>
      json(response, shown === 'Basic bm9ib2R5Ong=' || shown === undefined ? 401 : 200, EMPTY_LIST),
    );
    const raw = { family: 'sgt', op: 'list' as const, method: 'GET', path: '/ers/config/sgt' };
    for (const Authorization of ['Basic bm9ib2R5Ong=', ''])
      expect((await client.raw({ ...raw, headers: { Authorization } })).status).toBe(401);
    expect((await client.send('sgt', 'list')).status).toBe(200);
  });
});

it('a session is kept by its cookies, but not for another login, and left once it has ended', async () => {
  let opened = 0;
  const { target, client } = await aStubClient({}, ({ headers }, response) => {
    if (headers.cookie === 'S=1' && opened > 2) return json(response, 401, undefined);
    if (headers.cookie !== undefined) return json(response, 200, EMPTY_LIST);
    opened += 1;
    json(response, 200, EMPTY_LIST, { 'Set-Cookie': `S=${opened}; Path=/ers; HttpOnly` });
  });
  const list = () => client.send('sgt', 'list');
  const other = { headers: { Authorization: 'Basic bm9ib2R5Ong=' }, method: 'GET', path: '/ers/config/sgt' };
  await list();
  await list();
  await client.raw({ ...other, family: 'sgt', op: 'list' });
  opened = 3;
  expect((await list()).status).toBe(200);
  await list();
  const cookies = target.seen.map(({ headers }) => headers.cookie ?? 'none');
  expect(cookies).toEqual(['none', 'S=1', 'none', 'S=1', 'none', 'S=4', 'S=4']);
});

describe('a login that was taken before', () => {
  /** A target that refuses the requests whose numbers are given, counted from 1. */
  const refusing = (refused: (request: number) => boolean) => {
    let number = 0;
    return aStubClient({ mode: 'own-data' }, (_, response) => {
      number += 1;
      return json(response, refused(number) ? 401 : 200, EMPTY_LIST);
    });
  };

  it.each([
    ['once is shown again by one request, and what was refused is sent again', 2, 200, ['', '/7', '', '/7']],
    ['from then on is not sent a third time', 9, 401, ['', '/7', '']],
  ])('and is refused %s', async (_, last, status, asked) => {
    const { target, client } = await refusing((request) => request > 1 && request <= last);
    await client.send('sgt', 'list');
    expect((await client.send('sgt', 'read', { id: '7' })).status).toBe(status);
    if (status === 401) await expect(client.send('sgt', 'list')).rejects.toMatchObject({ code: 'refused-login' });
    expect(target.seen.map(({ url }) => url.slice('/ers/config/sgt'.length))).toEqual(asked);
  });

  it.each([
    ['nothing was answered well before', {}],
    ['only another login was answered well', { Authorization: 'Basic bm9ib2R5Ong=' }],
  ])('and is refused is not sent again if %s', async (_why, headers) => {
    const { target, client } = await aStubClient({ mode: 'own-data' }, (request, response) => {
      const isOther = request.headers.authorization === 'Basic bm9ib2R5Ong=';
      return json(response, isOther ? 200 : (target?.seen.length ?? 0) > 2 ? 401 : 404, EMPTY_LIST);
    });
    await client.send('sgt', 'read', { id: '7' });
    await client.raw({ family: 'sgt', op: 'list', method: 'GET', path: '/ers/config/sgt', headers });
    expect((await client.send('sgt', 'list')).status).toBe(401);
    await expect(client.send('sgt', 'list')).rejects.toMatchObject({ code: 'refused-login' });
    expect(target.seen).toHaveLength(3);
  });

  it('and is refused to one operation alone is sent on for the others, and looked into no further', async () => {
    const { target, client } = await aStubClient({ mode: 'own-data' }, ({ method }, response) =>
      json(response, method === 'POST' ? 401 : 200, EMPTY_LIST),
    );
    await client.send('sgt', 'list');
    for (let times = 0; times < 30; times += 1)
      expect((await client.send('sgt', 'create', { fields: { name: `x${times}` } })).status).toBe(401);
    expect(target.seen.filter(({ method }) => method === 'GET')).toHaveLength(4);
  });

  it('and is refused to all that is under way is not sent again, by whatever waits', async () => {
    let isTaken = true;
    const { target, client } = await aStubClient({ mode: 'own-data' }, (_, response) => {
      const status = isTaken ? 200 : 401;
      setTimeout(() => json(response, status, isTaken ? EMPTY_LIST : { error: 'expired on 2026-11-26' }), 20);
    });
    await client.send('sgt', 'list');
    isTaken = false;
    const sent = await Promise.allSettled(Array.from({ length: 20 }, () => client.send('node', 'list')));
    // As many as there are connections, and not one more.
    expect(target.seen).toHaveLength(5);
    const reasons = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
    expect([...new Set(reasons)]).toEqual([
      'the target refused the login with 401 "expired on 2026-11-26" to GET /ers/config/node, although it had taken it before; nothing more was sent',
    ]);
  });
});

/** A target that wants a token for writes and forgets it when told to, with the session if `expired` is 401, or after `once`, with or without the next one in its answer. */
function tokenTarget(once?: 'alone' | 'next', expired = 403) {
  let token = 'T0';
  let fetches = 0;
  return {
    fetches: () => fetches,
    expire: () => {
      token = 'gone';
    },
    answer: ((request, response) => {
      if (request.method === 'GET') {
        if (request.headers['x-csrf-token'] !== 'fetch') return json(response, 200, EMPTY_LIST);
        fetches += 1;
        token = `T${fetches}`;
        const cookie = `JSESSIONID=s${fetches}; Path=/`;
        return json(response, 200, EMPTY_LIST, { 'X-CSRF-Token': token, 'Set-Cookie': cookie });
      }
      const held = request.headers['x-csrf-token'] === token && request.headers.cookie === `JSESSIONID=s${fetches}`;
      if (!held) return json(response, token === 'gone' ? expired : 403, 'CSRF nonce validation failed');
      if (once !== undefined) token += 'n';
      const next = once === 'next' ? { 'X-CSRF-Token': token } : {};
      json(response, 201, undefined, { Location: '/ers/config/sgt/1', ...next });
    }) satisfies StubAnswer,
  };
}

describe('the CSRF handshake', () => {
  const create = { fields: { name: 'x', value: 5 } };

  it.each([
    ['when a write is refused for want of it; that is sent again, and the token kept', {}, 'ww', 'POST GET POST POST'],
    [
      'before the first write where the run says so, and after 60 s of silence',
      { csrf: true },
      'w.w',
      'GET POST GET POST',
    ],
    ['once, and goes on with the token that was fetched last', {}, 'wfw', 'POST GET POST GET POST'],
  ])('is made %s', async (_, options, steps, sent) => {
    const clock = eagerClock();
    const { target, client } = await aStubClient({ mode: 'own-data', clock, ...options }, tokenTarget().answer);
    expect(client.needsCsrf()).toBe('csrf' in options);
    for (const step of steps) {
      if (step === 'w') expect((await client.send('sgt', 'create', create)).status).toBe(201);
      else if (step === 'f') await client.send('sgt', 'list', { headers: { csrfToken: 'fetch' } });
      else await clock.sleep(61_000);
    }
    expect(target.seen.map(({ method }) => method).join(' ')).toBe(sent);
    expect(client.needsCsrf()).toBe(true);
  });

  it.each([403, 401])('is made again when a token is forgotten (%i), a second refusal is an answer', async (status) => {
    const tokens = tokenTarget(undefined, status);
    const { client } = await aStubClient({ mode: 'own-data' }, tokens.answer);
    await client.send('sgt', 'list');
    await client.send('sgt', 'create', create);
    tokens.expire();
    expect((await client.send('sgt', 'create', create)).status).toBe(201);
    expect(tokens.fetches()).toBe(2);
    const stubborn = await aStubClient({ mode: 'own-data' }, ({ method }, response) =>
      method === 'GET' ? json(response, 200, EMPTY_LIST, { 'X-CSRF-Token': 'T' }) : json(response, 403, 'CSRF again'),
    );
    expect((await stubborn.client.send('sgt', 'create', create)).status).toBe(403);
    expect(stubborn.target.seen).toHaveLength(3);
  });

  it.each(['alone', 'next'] as const)('is made for each write that a token is good for (%s)', async (once) => {
    const { target, client } = await aStubClient({ mode: 'own-data' }, tokenTarget(once).answer);
    for (let at = 0; at < 3; at += 1) expect((await client.send('sgt', 'create', create)).status).toBe(201);
    const before = target.seen.length;
    const sent = await Promise.all(Array.from({ length: 8 }, () => client.send('sgt', 'create', create)));
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(target.seen.length - before).toBe(once === 'next' ? 8 : 16);
  });

  it('is left alone where a check sends a token of its own, and a 403 for another reason starts none', async () => {
    const { target, client } = await aStubClient({ mode: 'own-data' }, (_, response) => json(response, 403, 'no role'));
    await client.send('sgt', 'create', { ...create, headers: { csrfToken: 'stale' } });
    await client.send('sgt', 'create', create);
    expect(target.seen.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });
});
