import { AsyncLocalStorage } from 'node:async_hooks';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { withLoad } from '../../../../cli/live/live.ts';
import { type LivePage, serveLive } from '../../../../cli/live/server.ts';
import { hasScreen } from '../../../../cli/session/browser.ts';
import { protectOutgoing } from '../../../../lib/outgoing.ts';
import type { LoadProgress } from '../../../../load/run/prepared-pool.ts';
import { liveParts, renderLivePage } from '../../../../reports/html/live/page.tsx';
import { aCell } from '../../../helpers/a-cell-report.ts';
import { A_LIVE_RUN } from '../../../helpers/a-live-run.ts';

type LiveServer = ReturnType<typeof serveLive>;
const opened: LiveServer[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.end();
});

async function served(page: Partial<LivePage> = {}, everyMs?: number): Promise<{ server: LiveServer; url: URL }> {
  const server = serveLive({ parts: () => ({ now: 'first' }), page: ({ now }) => `<p>${now}</p>`, ...page }, everyMs);
  opened.push(server);
  return { server, url: new URL(await server.address) };
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

const ask = (url: URL, options: { path?: string; method?: string; host?: string } = {}) =>
  new Promise<Answer>((done, failed) => {
    const { path = '/', method = 'GET', host = url.host } = options;
    const sent = request(url, { path, method, headers: { host } }, async (response) => {
      done({ status: response.statusCode, headers: response.headers, body: await text(response) });
    });
    sent.once('error', failed).end();
  });

/** Reads events until the server takes leave; `each` is told of all that came so far. */
const events = (url: URL, each: (text: string) => void = () => undefined) =>
  new Promise<string>((done, failed) => {
    const asked = request(new URL('events', url), async (response) => {
      let told = '';
      for await (const chunk of response.setEncoding('utf8')) {
        told += chunk;
        each(told);
      }
      done(told);
    });
    asked.once('error', failed).end();
  });

describe('the server of the live page', () => {
  it('listens on 127.0.0.1 alone and serves the page as it is now, never kept and never framed', async () => {
    const { url } = await served();
    expect(url.hostname).toBe('127.0.0.1');
    const { status, headers, body } = await ask(url);
    expect([status, body]).toEqual([200, '<p>first</p>']);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('refuses every name but its own, so that a name that was made to lead here gets nothing', async () => {
    const { url } = await served();
    const names = ['evil.example', `evil.example:${url.port}`, '127.0.0.1', `127.0.0.1.evil.example:${url.port}`];
    for (const host of names) {
      for (const path of ['/', '/events'])
        expect(await ask(url, { host, path })).toMatchObject({ status: 421, body: '' });
    }
    expect(await ask(url, { host: `localhost:${url.port}` })).toMatchObject({ status: 200 });
  });

  it('answers nothing but GET of its two addresses', async () => {
    const { url } = await served();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
      expect(await ask(url, { method })).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    for (const path of ['/index.html', '/../etc/passwd', '//evil.example/', '/events?x']) {
      expect(await ask(url, { path })).toMatchObject({ status: 404, body: '' });
    }
  });

  it('sends twenty clients everything at first and then what changed, and takes leave of all of them', async () => {
    let second = 0;
    const { server, url } = await served({ parts: () => ({ now: `second ${second}`, same: 'x' }) }, 5);
    let waiting = 20;
    const all = Array.from({ length: 20 }, () => {
      let met = 0;
      return events(url, (text) => {
        if (met === 0) {
          met = 1;
          waiting -= 1;
          if (waiting === 0) {
            second = 1;
            waiting = 20;
          }
        } else if (met === 1 && text.includes('second 1')) {
          met = 2;
          waiting -= 1;
          second = waiting === 0 ? 2 : second;
          if (waiting === 0) server.end();
        }
      });
    });
    for (const text of await Promise.all(all)) {
      expect(text.startsWith('data: {"now":"second 0","same":"x"}\n\n')).toBe(true);
      expect(text.endsWith('data: {"now":"second 2"}\n\nevent: end\ndata: {}\n\n')).toBe(true);
    }
  });

  it('drops a client that never reads, and goes on serving the others', async () => {
    let looks = 0;
    const parts = () => {
      looks += 1;
      return { now: `${looks} ${'x'.repeat(2 ** 20)}` };
    };
    const { url } = await served({ parts, page: () => 'here' }, 5);
    const silent = connect(Number(url.port), '127.0.0.1');
    // A paused socket takes what the system holds for it and no more.
    silent.pause().write(`GET /events HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    // Nobody is left to look for.
    await vi.waitFor(
      async () => {
        const before = looks;
        await new Promise((done) => setTimeout(done, 50));
        expect([looks > 0, looks]).toEqual([true, before]);
      },
      { timeout: 20_000 },
    );
    expect(looks).toBeLessThan(100);
    expect(await ask(url)).toMatchObject({ status: 200, body: 'here' });
    silent.destroy();
  });

  it('has an end to its clients', async () => {
    const { server, url } = await served();
    let met = 0;
    const full = new Promise<void>((done) => {
      for (let client = 0; client < 64; client += 1)
        void events(url, () => {
          met += 1;
          if (met === 64) done();
        });
    });
    await full;
    expect(await ask(url, { path: '/events' })).toMatchObject({ status: 503 });
    server.end();
  });
});

const begun = { ...A_LIVE_RUN, cell: undefined, cells: [], told: [] };
const cell = { targetPerSecond: 250, connections: 30 } as Extract<LoadProgress, { kind: 'second' }>['cell'];
const progress = (second: number) => ({
  ...{ second, startedPerSecond: 250, dropped: 0, failed: 0 },
  ...{ inFlight: 1, p50Ms: 1, p99Ms: 2 },
});

afterEach(() => protectOutgoing((text) => text));

describe('what the live page knows of a load', () => {
  it('stays small over hours', () => {
    let run = withLoad(begun, { kind: 'cell-start', cell, index: 0, of: 1, attempt: 1 });
    for (let second = 1; second <= 5000; second += 1) {
      run = withLoad(run, { kind: 'second', cell, progress: progress(second) });
      run = withLoad(run, { kind: 'told', text: `line ${second}` });
    }
    const long = aCell({ verdict: 'violated', reasons: ['x'.repeat(100_000)] });
    for (let ended = 0; ended < 500; ended += 1)
      run = withLoad(run, { kind: 'cell-end', cell, index: 0, of: 1, report: long }, { name: 'a', seconds: 1 });
    expect(Buffer.byteLength(renderLivePage(liveParts(run), run))).toBeLessThan(100_000);
  });

  it('is made without an AsyncLocalStorage, which would make every promise of the load dearer', () => {
    const entered = vi.spyOn(AsyncLocalStorage.prototype, 'run');
    expect(liveParts(A_LIVE_RUN).top).toContain(A_LIVE_RUN.target);
    expect(entered).not.toHaveBeenCalled();
  });

  it('holds no login that a target echoes', () => {
    protectOutgoing((text) => text.replaceAll('hunter22', '(secret)'));
    const run = withLoad(begun, { kind: 'told', text: 'the target says hunter22' });
    expect(run.told).toEqual(['the target says (secret)']);
  });
});

it('a browser is opened where somebody sits before a screen, and nowhere else', () => {
  expect(hasScreen({ DISPLAY: ':0' }, true)).toBe(true);
  expect(hasScreen({ BROWSER: 'firefox' }, true)).toBe(true);
  expect(hasScreen({ DISPLAY: ':0', CI: 'true' }, true)).toBe(false);
  expect(hasScreen({ DISPLAY: ':0' }, false)).toBe(false);
  if (process.platform === 'linux') expect(hasScreen({}, true)).toBe(false);
});
