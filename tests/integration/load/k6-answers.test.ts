import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { afterDelay, ancServerOfTest, closeAncServers } from '../../helpers/anc-server.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { aSpec, runCellOf } from '../../helpers/k6-run.ts';
import { ownCertificate } from '../../helpers/own-certificate.ts';
import { ofTests } from '../../helpers/served.ts';
import { json, stubTarget } from '../../helpers/stub-target.ts';

const folder = folderOfTests();

afterAll(closeAncServers);

const short = { durationSeconds: 1, ratePerSecond: 100, connections: 10 };

describe.concurrent('answers as k6 reports them', () => {
  it('are told apart: a state error from a fault, by the words of the body', async () => {
    const server = await ancServerOfTest((_request, _body, response) => {
      const even = server.bodies.length % 2 === 0;
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(even ? '{"ERSResponse":{"messages":[{"title":"already associated"}]}}' : '{}');
    });
    const { failures, counts } = await runCellOf(aSpec(server.baseUrl, short));
    expect(failures.map(({ kind }) => kind).sort()).toEqual(['server-error', 'state']);
    expect(failures.reduce((sum, { count }) => sum + count, 0)).toBe(counts.started);
    expect(failures.find(({ kind }) => kind === 'state')?.example).toBe('already associated');
  });

  it('are no success when they are a page of HTML, an error with status 200, a redirect, or late', async () => {
    const server = await ancServerOfTest((_request, _body, response) => {
      const turn = server.bodies.length % 4;
      if (turn === 0) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>');
      if (turn === 1) response.writeHead(302, { location: '/login' }).end();
      if (turn === 2) setTimeout(() => response.writeHead(204).end(), 600);
      if (turn === 3) json(response, 200, { ERSResponse: { messages: [{ type: 'ERROR', title: 'no directory' }] } });
    });
    const spec = aSpec(server.baseUrl, { ...short, connections: 80, timeoutMs: 200 });
    const { failures, counts } = await runCellOf(spec);
    const unexpected = ['unexpected-status log in', 'unexpected-status no directory', 'unexpected-status other'];
    const [late, ...others] = failures.map(({ kind, example }) => `${kind} ${example}`).sort();
    expect([late?.slice(0, 12), ...others]).toEqual(['timeout Put ', ...unexpected]);
    expect(failures.reduce((sum, { count }) => sum + count, 0)).toBe(counts.started);
  });

  it('of a target that is gone are failures in the generator’s words, not late arrivals', async () => {
    const server = await ancServerOfTest(afterDelay(0));
    const { baseUrl } = server;
    await server.close();
    const { failures, samples, counts } = await runCellOf(aSpec(baseUrl, short));
    expect(failures).toMatchObject([{ kind: 'transport', count: counts.started }]);
    expect(failures[0]?.example).toContain('refused');
    // Half of them: a machine that does other things too delays some.
    const lags = [...samples.lagUs].sort((a, b) => a - b);
    expect(lags[Math.floor(lags.length / 2)]).toBeLessThan(500_000);
  });
});

it.concurrent('a CSRF token is fetched once on every connection, and again after it was refused', async () => {
  let tokens = 0;
  let refused = 0;
  const server = await ancServerOfTest((request, _body, response) => {
    if (request.method === 'GET') {
      expect(request.headers['x-csrf-token']).toBe('fetch');
      tokens += 1;
      return json(response, 200, {}, { 'X-CSRF-Token': `token-${tokens}` });
    }
    const known = /^token-\d+$/.test(String(request.headers['x-csrf-token']));
    // The first good request is refused as if its token had grown old.
    if (!known || refused === 0) refused += 1;
    return response.writeHead(refused === 1 && server.bodies.length === 1 ? 403 : known ? 204 : 403).end();
  });
  const { failures, counts } = await runCellOf(aSpec(server.baseUrl, { ...short, csrf: true }));
  expect(failures).toMatchObject([{ kind: 'auth', status: 403, count: 1 }]);
  expect(counts.started).toBe(counts.recorded);
  expect(refused).toBe(1);
  expect(tokens).toBe(short.connections + 1);
});

it.concurrent('a pool from a file gives each transaction the next line of its part', async () => {
  const server = await ancServerOfTest(afterDelay(0));
  const path = join(folder, 'pool.txt');
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  const bytes = Array.from({ length: 300 }, (_, index) => [index >> 8, index & 255] as const);
  const lines = bytes.map(([a, b]) => `02:AA:00:00:${hex(a)}:${hex(b)},10.9.${a}.${b}`);
  writeFileSync(path, `# endpoints\n\n${lines.join('\r\n')}\n`);
  const { source } = readPool(path);
  // Whoever changes it now changes nothing of the load.
  writeFileSync(path, '00:1B:54:AA:BB:CC,10.9.0.1\n'.repeat(300));
  const pool = { offset: 100, size: 150, seed: 3, source } as const;
  const { counts } = await runCellOf(aSpec(server.baseUrl, { ...short, pool }));
  const part = new Set(lines.slice(100, 250).map((line) => line.split(',')[0]?.toUpperCase()));
  const used = server.bodies.map((body) => JSON.parse(body).OperationAdditionalData.additionalData[0].value);
  expect(new Set(used).size).toBe(counts.started);
  expect(used.filter((mac) => !part.has(mac))).toEqual([]);
});

const own = ofTests(() => ownCertificate(folder));
const target = ofTests(() => stubTarget((_request, response) => response.writeHead(204).end(), own));

it('a certificate of a private authority is refused without that authority, and taken with it or with the flag that accepts any', async () => {
  const { failures, counts } = await runCellOf(aSpec(target.baseUrl, short));
  expect(failures).toMatchObject([{ kind: 'transport', count: counts.started }]);
  expect(failures[0]?.example).toMatch(/certificate|x509/);
  for (const how of [{ caFile: own.caFile }, { insecure: true }])
    expect((await runCellOf(aSpec(target.baseUrl, { ...short, ...how }))).failures).toEqual([]);
});
