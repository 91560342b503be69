import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Bytes that may wait for a client; one that reads nothing is dropped. */
const MOST_WAITING = 256 * 1024;
const MOST_CLIENTS = 64;
const EVERY_MS = 2000;
const SAFE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // A page may say everything of its policy but this.
  'content-security-policy': "frame-ancestors 'none'",
};

type Parts = Readonly<Record<string, string>>;

export interface LivePage {
  readonly parts: () => Parts;
  readonly page: (parts: Parts) => string;
}

/** Status that a request is refused with; undefined if it is served. A name that leads here is not enough: it may be DNS rebinding. */
function refusal({ method, headers, url }: IncomingMessage, port: number): number | undefined {
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return 421;
  if (method !== 'GET') return 405;
  return url === '/' || url === '/events' ? undefined : 404;
}

const event = (parts: Parts) => Buffer.from(`data: ${JSON.stringify(parts)}\n\n`);

/** One look at the parts for all clients, and its result, each at most once: the cost is that of looks alone. `tell` gets what changed. */
function looks({ parts, page }: LivePage, everyMs: number, tell: (changed: Parts) => void) {
  let lookedMs = Number.NEGATIVE_INFINITY;
  let now: Parts = {};
  let made: { html?: Buffer; whole?: Buffer } = {};
  const again = () => {
    const before = now;
    now = parts();
    lookedMs = performance.now();
    made = {};
    const changed = Object.entries(now).filter(([id, text]) => before[id] !== text);
    if (changed.length > 0) tell(Object.fromEntries(changed));
  };
  const fresh = () => {
    if (performance.now() - lookedMs >= everyMs) again();
    return made;
  };
  return {
    /** Looks again, however new the last look is. */
    again,
    html: () => (fresh().html ??= Buffer.from(page(now))),
    whole: () => (fresh().whole ??= event(now)),
  };
}

/** Serves a page on 127.0.0.1 and, as server-sent events, the parts of it that changed. Nothing of it keeps the process from ending. */
export function serveLive(live: LivePage, everyMs = EVERY_MS) {
  const clients = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  const drop = (client: ServerResponse) => {
    clients.delete(client);
    if (clients.size === 0) clearInterval(timer);
  };
  const send = (client: ServerResponse, text: Buffer) => {
    client.write(text);
    if (client.writableLength <= MOST_WAITING) return;
    drop(client);
    client.destroy();
  };
  const { again, html, whole } = looks(live, everyMs, (changed) => {
    const text = event(changed);
    for (const client of clients) send(client, text);
  });
  const follow = (client: ServerResponse) => {
    client.writeHead(200, { ...SAFE, 'content-type': 'text/event-stream' });
    const all = whole();
    clients.add(client);
    client.once('close', () => drop(client)).on('error', () => drop(client));
    if (clients.size === 1) timer = setInterval(again, everyMs).unref();
    send(client, all);
  };
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const isFull = request.url === '/events' && clients.size >= MOST_CLIENTS;
    const status = refusal(request, port) ?? (isFull ? 503 : undefined);
    if (status !== undefined) {
      response.writeHead(status, { ...SAFE, ...(status === 405 ? { allow: 'GET' } : {}), connection: 'close' });
      response.end();
    } else if (request.url === '/events') follow(response);
    else {
      response.writeHead(200, { ...SAFE, 'content-type': 'text/html; charset=utf-8' });
      response.end(html());
    }
  });
  server.maxConnections = 2 * MOST_CLIENTS;
  server.on('connection', (socket) => socket.unref());
  server.unref();
  const address = new Promise<string>((done, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  });
  return {
    /** Address of the page. Rejects if no port can be had. */
    address,
    end() {
      again();
      for (const client of clients) {
        drop(client);
        client.end('event: end\ndata: {}\n\n');
      }
      server.close();
    },
  };
}
