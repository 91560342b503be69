import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ancBody, BASIC, LOGIN } from '../ask.ts';
import { group, withRules } from './with-rules.ts';

describe('the rules on access', () => {
  it('lockout: five wrong passwords lock the account', async () => {
    const { ask } = await withRules('lockout');
    const wrong = { Authorization: `Basic ${Buffer.from(`${LOGIN.username}:wrong`).toString('base64')}` };
    for (let tries = 0; tries < 4; tries += 1) expect((await ask('GET', 'sgt', undefined, wrong)).status).toBe(401);
    expect((await ask('GET', 'sgt')).status).toBe(200);
    expect((await ask('GET', 'sgt', undefined, wrong)).status).toBe(401);
    expect((await ask('GET', 'sgt')).status).toBe(401);
  });

  it.each([
    ['csrf', 200],
    ['csrf415', 415],
  ] as const)('%s: a token is good with the cookies it came with', async (rule, status) => {
    const { ask } = await withRules(rule);
    const bare = await ask('POST', 'sgt', group('a'));
    expect([bare.status, bare.text]).toEqual([403, expect.stringMatching(/^CSRF nonce validation failed.*<html/)]);
    const fetched = await ask('GET', 'sgt/versioninfo', undefined, { 'X-CSRF-TOKEN': 'fetch' });
    expect(fetched.status).toBe(status);
    const token = { 'X-CSRF-TOKEN': String(fetched.headers['x-csrf-token']) };
    expect((await ask('POST', 'sgt', group('a'), token)).status).toBe(403);
    const cookies = (fetched.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
    expect((await ask('POST', 'sgt', group('a'), { ...token, Cookie: cookies })).status).toBe(201);
  });

  it('operator: may read and not write', async () => {
    const { ask } = await withRules('operator');
    expect((await ask('GET', 'sgt')).status).toBe(200);
    expect((await ask('POST', 'sgt', group('a'))).status).toBe(403);
    expect((await ask('PUT', 'ancendpoint/apply', ancBody(['macAddress', 'x']))).status).toBe(403);
  });

  it('rate: configuration requests wait for their turn', async () => {
    const { ask } = await withRules('rate');
    const begun = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => ask('GET', 'sgt?size=1')));
    expect(performance.now() - begun).toBeGreaterThan(150);
  });

  it('connections: resets the thirty-first', async () => {
    const { baseUrl } = await withRules('connections');
    const { hostname, port } = new URL(baseUrl);
    const ends = await Promise.all(
      Array.from({ length: 31 }, async (_, index) => {
        const socket = connect(Number(port), hostname);
        socket.write(`GET /ers/config/sgt?size=${index + 1} HTTP/1.1\r\nHost: t\r\nAuthorization: ${BASIC}\r\n\r\n`);
        const state = await new Promise<string>((resolve) => {
          socket.once('data', () => resolve('answered'));
          socket.once('error', () => resolve('reset'));
        });
        return { socket, state };
      }),
    );
    expect(ends.filter(({ state }) => state === 'reset')).toHaveLength(1);
    for (const { socket } of ends) socket.destroy();
  });
});
