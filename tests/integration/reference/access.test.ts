import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { NULL_TARGETS } from '../../../reference/null-targets/table.ts';
import { ancBody, LOGIN, serveOne } from './ask.ts';

const MAC = ['macAddress', '02:00:00:00:00:01'] as const;

describe('a reference deployment with CSRF switched on', () => {
  it('refuses every write without a token, with 403 and the recorded text, and takes it with one', async () => {
    const served = await serveOne({ csrf: true });
    const body = { Sgt: { name: 'guarded', value: -1 } };
    const refused = await served.ask('POST', 'sgt', body);
    expect([refused.status, refused.text]).toEqual([403, 'CSRF nonce validation failed']);
    const fetched = await served.ask('GET', 'sgt', undefined, { 'X-CSRF-TOKEN': 'fetch' });
    const token = { 'X-CSRF-TOKEN': String(fetched.headers['x-csrf-token']) };
    const created = await served.ask('POST', 'sgt', body, token);
    expect(created.status).toBe(201);
    const id = created.id();
    const apply = ancBody(MAC, ['policyName', served.policies[0] ?? '']);
    for (const [method, path, sent] of [
      ['PUT', `sgt/${id}`, body],
      ['PUT', 'ancendpoint/apply', apply],
      ['PUT', 'ancendpoint/clear', ancBody(MAC)],
      ['DELETE', `sgt/${id}`, undefined],
    ] as const) {
      expect((await served.ask(method, path, sent)).status).toBe(403);
      expect((await served.ask(method, path, sent, { 'X-CSRF-TOKEN': 'made-up' })).status).toBe(403);
      expect((await served.ask(method, path, sent, token)).status).toBeLessThan(300);
    }
  });

  it('takes bulk and reads without a token, because the specification gives them no such header', async () => {
    const served = await serveOne({ csrf: true });
    const bulk = { SgtBulkRequest: { operationType: 'create', resourceMediaType: 'x' } };
    expect((await served.ask('PUT', 'sgt/bulk/submit', bulk)).status).toBe(202);
    expect((await served.ask('GET', 'sgt/versioninfo')).status).toBe(200);
  });
});

it('TLS shows a certificate of the printed authority, and headers are spelled as over plain HTTP', async () => {
  const served = await serveOne({ tls: true });
  expect(served.baseUrl).toMatch(/^https:/);
  const ca = readFileSync(served.caFile ?? '');
  const auth = `${LOGIN.username}:${LOGIN.password}`;
  const options = { ca, auth, method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const raw = await new Promise<readonly string[]>((resolve, reject) => {
    const sent = request(`${served.baseUrl}/ers/config/sgt`, options, (response) => {
      response.resume();
      resolve(response.rawHeaders);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ Sgt: { name: 'secret', value: -1 } }));
  });
  expect(raw[raw.indexOf('Location') + 1]).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/ers\/config\/sgt\//);
  await expect(fetch(`${served.baseUrl}/ers/config/sgt`)).rejects.toThrow();
});

describe('starting a reference deployment', () => {
  it('generates a login of its own where none is given', async () => {
    const { startReference } = await import('../../../reference/server.ts');
    const third = await startReference({ sessions: 1 });
    expect(third.password.length).toBeGreaterThan(16);
    expect(third.endpoints).toBe('02:00:00:00:00:00+1@10.0.0.0');
    await third.close();
  });

  it.each([
    ['fault', { faults: ['latency=soon'] }, 'latency=200ms'],
    ['defect', { defects: ['M61'] }, 'M60'],
    ['variation', { variations: ['V99'] }, 'V25'],
    ['null target', { nullTarget: 'N11' }, 'N10'],
  ])('refuses an unknown %s and names the known ones', async (_kind, options, named) => {
    await expect(serveOne(options)).rejects.toMatchObject({ name: 'UsageError', hint: expect.stringContaining(named) });
  });

  it('refuses a port that is taken', async () => {
    const served = await serveOne();
    const port = Number(new URL(served.baseUrl).port);
    await expect(serveOne({ port })).rejects.toMatchObject({ code: 'cannot-listen' });
  });
});

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

  it('there are ten, each with the exit codes a run against it may end with', () => {
    expect(NULL_TARGETS).toHaveLength(10);
    expect(NULL_TARGETS.every(({ exits }) => exits.length > 0 && !exits.includes(0))).toBe(true);
  });
});
