import { describe, expect, it } from 'vitest';
import { aStubClient, eagerClock } from '../../../helpers/a-client.ts';
import { EMPTY_LIST, json, type StubAnswer } from '../../../helpers/stub-target.ts';

const PAGE =
  '<html><head><title>Maintenance</title></head><body>Upgraded to 3.5 patch 4, back at 06:00 UTC</body></html>';

/** A target that answers well as long as `isUp` says so, and in another way if it does not. */
const until = (isUp: (request: number, url: string) => boolean, otherwise: StubAnswer, clock = eagerClock()) => {
  let number = 0;
  return aStubClient({ mode: 'own-data', clock }, (request, response, raw) => {
    number += 1;
    if (isUp(number, request.url)) json(response, 200, EMPTY_LIST);
    else otherwise(request, response, raw);
  });
};

const page =
  (status: number, headers: Record<string, string> = {}): StubAnswer =>
  (_, response) =>
    void response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(PAGE);

describe('a target that answers nothing any more', () => {
  it.each<readonly [string, StubAnswer, RegExp, number]>([
    [
      'asks to come back in an hour',
      page(503, { 'Retry-After': '3600' }),
      /^the target answers 503 "Maintenance Upgraded to 3.5 patch 4, back at 06:00 UTC" to every request; try again after 3600 s$/,
      0,
    ],
    ['turns all away', page(429, { 'Retry-After': '3600' }), / answers 429 .* try again after 3600 s$/, 0],
    ['asks to come back soon', page(503, { 'Retry-After': '10' }), / answers 503 .* try again after 10 s$/, 31_000],
    ['has a gateway without a server', page(502), /^the target answers 502 "Maintenance .*" to every request$/, 31_000],
    ['answers with a fault', page(500), /^the target answers 500 "Maintenance .*" to every request$/, 31_000],
    ['has a gateway that waits in vain', page(504), /^the target answers 504 /, 31_000],
    [
      'breaks every connection',
      (_, response) => void response.destroy(),
      /^the target gives no answer any more: GET http.* \((ECONNRESET|UND_ERR_SOCKET)/,
      31_000,
    ],
  ])('and %s is left alone after a few requests', async (_what, otherwise, sentence, mostMs) => {
    const clock = eagerClock();
    const { target, client } = await until((request) => request <= 3, otherwise, clock);
    for (const family of ['sgt', 'node', 'portal']) await client.send(family, 'list');
    const sent = await Promise.allSettled(
      Array.from({ length: 40 }, (_, each) =>
        each % 4 === 0
          ? client.send('sgt', 'create', { fields: { name: `n${each}`, value: 1 } })
          : client.send('sgt', 'read', { id: 'x' }),
      ),
    );
    const faults = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    for (const fault of faults.filter(({ code }) => code === 'out-of-service')) expect(fault.message).toMatch(sentence);
    expect(faults.filter(({ code }) => code === 'out-of-service').length).toBeGreaterThan(30);
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(mostMs);
    expect(target.seen.length).toBeLessThan(50);
    // What was sent, was sent once.
    const creates = target.seen.flatMap(({ method, body }) => (method === 'POST' ? [body] : []));
    expect(new Set(creates).size).toBe(creates.length);
    const before = target.seen.length;
    await expect(client.send('node', 'list')).rejects.toMatchObject({ code: 'out-of-service' });
    expect(target.seen.length).toBe(before);
  });

  it.each<readonly [string, StubAnswer, RegExp]>([
    ['that nothing is there', page(404), /^the target answers 404 "Maintenance/],
    ['that nothing is right', page(400), /^the target answers 400 "Maintenance/],
    ['that nothing is allowed', page(403), /^the target answers 403 "Maintenance/],
    ['with a page in place of what is asked', page(200), /^the target answers 200 "Maintenance/],
    ['that all is elsewhere', page(302, { Location: 'https://example.com/' }), /^the target answers 302 "Maintenance/],
  ])(
    'and says %s is left alone once what it answered well before is answered so',
    async (_what, otherwise, sentence) => {
      const { target, client } = await until((request) => request <= 3, otherwise);
      for (const family of ['sgt', 'node', 'portal']) await client.send(family, 'list');
      const faults: unknown[] = [];
      for (let each = 0; each < 100; each += 1)
        await client.send('sgt', 'read', { id: `x${each}` }).catch((fault: unknown) => faults.push(fault));
      expect(faults.length).toBeGreaterThanOrEqual(80);
      expect(faults[0]).toMatchObject({ code: 'out-of-service', message: expect.stringMatching(sentence) });
      expect(target.seen.length).toBeLessThan(80);
    },
  );

  it('is looked at once more by the clean-up', async () => {
    let isBack = false;
    const { client } = await until((request) => request === 1 || isBack, page(503, { 'Retry-After': '3600' }));
    await client.send('sgt', 'list');
    await expect(client.send('sgt', 'list')).rejects.toMatchObject({ code: 'out-of-service' });
    isBack = true;
    expect((await client.view({ signal: 'ignored' }).send('sgt', 'list')).status).toBe(200);
  });
});

describe('a family that is down alone', () => {
  it('is not waited for, and the others are asked on', async () => {
    const isUp = (_: number, url: string) => !url.startsWith('/ers/config/sgt');
    const clock = eagerClock();
    const { target, client } = await until(isUp, page(503, { 'Retry-After': '120' }), clock);
    expect((await client.send('node', 'list')).status).toBe(200);
    for (let each = 0; each < 40; each += 1) expect((await client.send('sgt', 'list')).status).toBe(503);
    expect((await client.send('node', 'list')).status).toBe(200);
    expect(clock.slept).toEqual([]);
    // One look at another family for some of its answers, and each request again if it had a part in it.
    expect(target.seen.length).toBeLessThan(70);
  });

  it.each([400, 404, 500])('with %d is asked on, for few requests more', async (status) => {
    const isUp = (_: number, url: string) => !url.startsWith('/ers/config/sgt');
    const clock = eagerClock();
    const { target, client } = await until(isUp, page(status), clock);
    await client.send('node', 'list');
    for (let each = 0; each < 100; each += 1) expect((await client.send('sgt', 'list')).status).toBe(status);
    expect(clock.slept).toEqual([]);
    expect(target.seen.length).toBeLessThan(125);
  });

  it('is not taken for a target that is gone if all that it answered well were reads of records that are removed now', async () => {
    let isThere = true;
    const { client } = await until((_, url) => isThere && url.endsWith('/a'), page(404));
    await client.send('sgt', 'read', { id: 'a' });
    isThere = false;
    for (let each = 0; each < 60; each += 1) expect((await client.send('sgt', 'read', { id: 'a' })).status).toBe(404);
    await expect(client.answersStill()).resolves.toBeUndefined();
  });
});
