import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { preflight } from '../../../../lib/client/http/preflight.ts';
import { oneAddress } from '../../../../lib/client/one-address.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { aClient, aStubClient, CANARY, eagerClock } from '../../../helpers/a-client.ts';
import { folderOfTests } from '../../../helpers/folder.ts';
import { ownCertificate } from '../../../helpers/own-certificate.ts';
import { EMPTY_LIST, json, stubOfTest } from '../../../helpers/stub-target.ts';

const folder = folderOfTests();

describe('a link given by the target', () => {
  it.each([
    ['absolute', (base: string) => `${base}/ers/config/sgt?size=2&page=2`],
    ['of another host', () => 'https://other.example:9060/ers/config/sgt?size=2&page=2'],
    ['relative to the request', () => 'sgt?size=2&page=2'],
    ['of a query alone', () => '?size=2&page=2'],
    ['of a path alone', () => '/ers/config/sgt?size=2&page=2'],
  ])('that is %s is followed on our own host with its path and query', async (_, href) => {
    const target = await stubOfTest((_request, response) => json(response, 200, EMPTY_LIST));
    await aClient(target.baseUrl).client.follow('sgt', href(target.baseUrl));
    expect(target.seen.map(({ url }) => url)).toEqual(['/ers/config/sgt?size=2&page=2']);
  });

  it.each([
    ...['/admin', 'https://other.example/ers/config/../../admin', 'javascript:alert(1)', 'http://'],
    ...['/ers/config/..;/admin', '/ers/config/sgt/%2e%2e%2fx', '/ers/config/sgt/..%3b/x', '/ers/config//sgt'],
    ...['/ers/config/sgt%5c..', '/ers/config/sgt/%ff', '/ers/config/sgt/%0d%0ax'],
  ])('that leads elsewhere (%s) is not followed', async (href) => {
    const target = await stubOfTest((_, response) => json(response, 303, undefined, { Location: href }));
    const { client } = aClient(target.baseUrl, { mode: 'own-data' });
    await expect(client.follow('sgt', href)).rejects.toMatchObject({ code: 'foreign-link' });
    await client.send('sgt', 'create', { fields: { name: 'n' } });
    expect(target.seen.map(({ method }) => method)).toEqual(['POST']);
  });
});

describe('the transport', () => {
  it('gives a redirect as an answer and sends nothing to where it leads', async () => {
    const target = await stubOfTest((_, response) =>
      json(response, 302, undefined, { Location: 'http://127.0.0.1:1/admin/' }),
    );
    const answer = await aClient(target.baseUrl).client.send('sgt', 'list');
    expect([answer.status, answer.headers['location'], target.seen.length]).toEqual([
      302,
      'http://127.0.0.1:1/admin/',
      1,
    ]);
  });

  it('stays on the address that its first connection reached, whatever the name stands for later', async () => {
    const target = await stubOfTest((_, response) => json(response, 200, EMPTY_LIST));
    const given = ['127.0.0.1', '127.0.0.2'];
    const only = oneAddress((_host, _options, done) => done(null, [{ address: given.shift() ?? '', family: 4 }]));
    const { client } = aClient(target.baseUrl.replace('127.0.0.1', 'moving.invalid'), { target: { only } });
    const ask = async () => (await client.send('sgt', 'list')).status;
    const before = await ask();
    await client.useConnections(2);
    expect([before, await ask(), only.address()]).toEqual([200, 200, '127.0.0.1']);
  });

  it('names the run in its User-Agent', async () => {
    const target = await stubOfTest((_, response) => json(response, 200, EMPTY_LIST));
    await aClient(target.baseUrl, { runId: 'r-42' }).client.send('sgt', 'list');
    expect(target.seen[0]?.headers['user-agent']).toMatch(/^ers-harness\/\d+\.\d+\.\d+ \(run r-42\)$/);
  });

  it.each([['gzip', gzipSync] as const, ['br', brotliCompressSync] as const])(
    'reads a body that comes in %s unasked, of an error too, and no more of it than of any other',
    async (coding, coded) => {
      const texts = [JSON.stringify(EMPTY_LIST), JSON.stringify({ text: 'x'.repeat(20 * 1024 * 1024) })];
      const { client } = await aStubClient({}, (request, response) => {
        const body = coded(texts[request.url?.includes('size') ? 1 : 0] ?? '');
        response.writeHead(request.url?.includes('page') ? 400 : 200, {
          'Content-Type': 'application/json',
          'Content-Encoding': coding,
        });
        response.end(body);
      });
      expect((await client.send('sgt', 'list')).json).toEqual(EMPTY_LIST);
      expect((await client.send('sgt', 'list', { list: { page: 2 } })).json).toEqual(EMPTY_LIST);
      expect((await client.send('sgt', 'list', { list: { size: 2 } })).body.length).toBeLessThan(9 * 1024 * 1024);
    },
  );

  it('ends a body that never ends, and records the fault', async () => {
    const { client, exchanges } = await aStubClient({ target: { timeoutMs: 150 } }, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    });
    await expect(client.send('sgt', 'list')).rejects.toMatchObject({ name: 'TargetError', code: 'timeout' });
    expect(exchanges.map(({ status, fault }) => [status, fault?.includes('150 ms')])).toEqual([[0, true]]);
  });

  it('keeps the beginning of a huge body and says that it was cut', async () => {
    const { client, exchanges } = await aStubClient({}, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 50_000_000 });
      response.end(Buffer.alloc(50_000_000, 'x'));
    });
    const answer = await client.send('sgt', 'list');
    expect([answer.cut, answer.body.length <= 4 * 1024 * 1024]).toEqual([true, true]);
    expect(exchanges[0]?.bytes).toBe(50_000_000);
    expect(exchanges[0]?.responseBody.length).toBeLessThanOrEqual(64 * 1024);
  });

  it('repeats a GET whose connection broke, and never a write', async () => {
    let broken = 2;
    const { target, client, exchanges } = await aStubClient(
      { mode: 'own-data', clock: eagerClock() },
      (_, response, raw) => {
        broken -= 1;
        if (broken >= 0) return void raw.socket.destroy();
        json(response, 200, EMPTY_LIST);
      },
    );
    expect((await client.send('sgt', 'list')).status).toBe(200);
    expect(exchanges.map(({ status }) => status)).toEqual([0, 0, 200]);
    broken = 9;
    await expect(client.send('sgt', 'create', { fields: { name: 'n' } })).rejects.toMatchObject({ code: 'reset' });
    expect(target.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(client.unresolved()).toMatchObject([{ family: 'sgt', name: 'n' }]);
  });

  it('sends nothing new once the run is aborted, but cleaning up goes on', async () => {
    const target = await stubOfTest((_, response) => json(response, 200, EMPTY_LIST));
    const abort = new AbortController();
    const { client } = aClient(target.baseUrl, { signal: abort.signal });
    await client.send('sgt', 'list');
    abort.abort(new Error('stopped'));
    await expect(client.send('sgt', 'list')).rejects.toThrow('stopped');
    expect((await client.view({ signal: 'ignored' }).send('sgt', 'list')).status).toBe(200);
    expect(target.seen).toHaveLength(2);
  });
});

it('TLS is trusted by the certificate authority that the run names, or not at all, or by whoever says so', async () => {
  const own = await ownCertificate(folder);
  const { caFile } = own;
  const target = await stubOfTest((_, response) => json(response, 200, EMPTY_LIST), own);
  await expect(aClient(target.baseUrl).client.send('sgt', 'list')).rejects.toMatchObject({ code: 'tls' });
  expect((await aClient(target.baseUrl, { target: { caFile } }).client.send('sgt', 'list')).status).toBe(200);
  expect((await aClient(target.baseUrl, { target: { insecure: true } }).client.send('sgt', 'list')).status).toBe(200);
  await expect(
    aClient(target.baseUrl.replace('127.0.0.1', 'localhost'), { target: { caFile } }).client.send('sgt', 'list'),
  ).rejects.toMatchObject({ code: 'tls', hint: expect.stringContaining('is for IP Address:127.0.0.1: use one') });
});

/** Any one family may be missing: only where no list at all is served, that is what the target is told by. */
const LISTS = Object.keys(FAMILIES).length;

describe('the preflight', () => {
  it.each([
    ['refused-login', 401, 'text/html', '<html>401</html>', 1],
    ['no-permission', 403, 'application/json', '{}', 1 + LISTS],
    ['not-this-api', 200, 'text/html', '<html>login</html>', 1],
    ['not-this-api', 200, 'text/plain', 'hello', 2],
    ['not-this-api', 404, 'application/json', '{}', 1 + LISTS],
    ['target-fault', 500, 'application/json', '{}', 1 + LISTS],
    ['redirected', 302, 'text/plain', '', 2],
  ])('says %s for an answer %i of %s', async (code, status, type, body, requests) => {
    const target = await stubOfTest((_, response) => response.writeHead(status, { 'Content-Type': type }).end(body));
    const fault = await preflight(aClient(target.baseUrl).client).catch((thrown: unknown) => thrown);
    expect(fault).toMatchObject({ name: 'TargetError', code, hint: expect.stringMatching(/.{10}/) });
    expect(target.seen).toHaveLength(requests);
  });

  it('takes a target whose version information is at an address of its own', async () => {
    const target = await stubOfTest(({ url = '' }, response) =>
      url.includes('versioninfo')
        ? json(response, 302, undefined, { Location: '/versions.json' })
        : json(response, 200, EMPTY_LIST),
    );
    expect(await preflight(aClient(target.baseUrl).client)).toMatchObject({ listStatus: 200 });
  });

  it('quotes what the target says of a login that it refuses, without the login', async () => {
    const page = `<html><h1>HTTP Status 401</h1>Password of account tester (${CANARY}) expired on 2026-11-26</html>`;
    const target = await stubOfTest((_, response) =>
      response.writeHead(401, { 'Content-Type': 'text/html' }).end(page),
    );
    const fault = await preflight(aClient(target.baseUrl).client).catch(({ message }: Error) => message);
    expect(fault).toMatch(/401 "HTTP Status 401 Password of account .* expired on 2026-11-26": the login was refused/);
    expect(fault).not.toContain(CANARY);
  });

  it('tells a port without a listener, a name that does not resolve and an answer that does not come apart', async () => {
    const target = await stubOfTest(() => undefined);
    const codeOf = (url: string, timeoutMs = 5000) =>
      preflight(aClient(url, { target: { timeoutMs, only: oneAddress() } }, eagerClock()).client).catch(
        ({ code }: { code: string }) => code,
      );
    expect(await codeOf(target.baseUrl, 100)).toBe('timeout');
    const { baseUrl } = target;
    await target.close();
    expect(await codeOf(baseUrl)).toBe('refused');
    expect(await codeOf('http://no-such-host.invalid')).toBe('dns');
  });
});
