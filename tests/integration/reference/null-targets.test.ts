import { describe, expect, it } from 'vitest';
import { NULL_TARGETS } from '../../../reference/null-targets/table.ts';
import { BASIC, serveOne } from './ask.ts';

const body = { Sgt: { name: 'anything', value: -1 } };

describe('a null target', () => {
  it.each([
    ['N01', 200, '{}'],
    ['N02', 404, ''],
    ['N03', 401, '<html>401</html>'],
    ['N07', 500, ''],
  ] as const)('%s answers everything with %i', async (nullTarget, status, text) => {
    const served = await serveOne({ nullTarget });
    for (const [method, path, sent] of [
      ['GET', 'sgt', undefined],
      ['POST', 'sgt', body],
      ['GET', 'nothing', undefined],
    ] as const) {
      const reply = await served.ask(method, path, sent);
      expect([reply.status, reply.text]).toEqual([status, text]);
    }
  });

  it.each([
    ['N04', 'with the body it was sent', 'POST', 200, 'application/json', JSON.stringify(body)],
    ['N09', 'with a login page', 'GET', 200, 'text/html;charset=utf-8', '<!doctype html>'],
  ])('%s answers %s', async (nullTarget, _what, method, status, type, text) => {
    const served = await serveOne({ nullTarget });
    const reply = await served.ask(method, 'sgt', method === 'POST' ? body : undefined);
    expect([reply.status, reply.headers['content-type']]).toEqual([status, expect.stringContaining(type)]);
    expect(reply.text).toContain(text);
  });

  it('N05 answers every query with one list', async () => {
    const served = await serveOne({ nullTarget: 'N05' });
    const lists = await Promise.all(['sgt', 'sgt?filter=name.EQ.x', 'node/1'].map((path) => served.ask('GET', path)));
    expect(new Set(lists.map(({ text }) => text)).size).toBe(1);
    expect(lists[0]?.json().SearchResult.resources).toHaveLength(1);
  });

  it('N06 takes writes and forgets them', async () => {
    const served = await serveOne({ nullTarget: 'N06' });
    const created = await served.ask('POST', 'sgt', body);
    expect(created.status).toBe(201);
    expect((await served.ask('GET', `sgt/${created.id()}`)).status).toBe(404);
  });

  it('N08 takes the request and never answers', async () => {
    const served = await serveOne({ nullTarget: 'N08' });
    const signal = AbortSignal.timeout(150);
    await expect(fetch(`${served.baseUrl}/ers/config/sgt`, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('N10 goes through scripts, echoed secrets, a huge body, a redirect to itself, a header flood and an endless body', async () => {
    const served = await serveOne({ nullTarget: 'N10' });
    expect((await served.ask('GET', 'sgt')).text).toContain('<script>');
    expect((await served.ask('GET', 'sgt')).text).toContain(BASIC);
    expect((await served.ask('GET', 'sgt')).text.length).toBe(50 * 1024 * 1024);
    const redirect = await served.ask('GET', 'sgt');
    expect([redirect.status, redirect.headers.location]).toEqual([302, `${served.baseUrl}/ers/config/sgt`]);
    await expect(served.ask('GET', 'sgt')).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' });
    const endless = await fetch(`${served.baseUrl}/ers/config/sgt`);
    const reader = endless.body?.getReader();
    let read = 0;
    while (read < 60 * 1024 * 1024) read += (await reader?.read())?.value?.length ?? Number.POSITIVE_INFINITY;
    expect(Number.isFinite(read)).toBe(true);
    await reader?.cancel();
  });

  it('there are ten, each with the exit codes a run against it may end with', () => {
    expect(NULL_TARGETS).toHaveLength(10);
    expect(NULL_TARGETS.every(({ exits }) => exits.length > 0 && !exits.includes(0))).toBe(true);
  });
});
