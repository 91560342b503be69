import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import type { Seams } from '../seams.ts';
import type { Certificate } from './certificate.ts';
import { type Answer, type Call, wireRequest } from './wire.ts';

type Bindings = { Bindings: HttpBindings };

/**
 * Answers are written past the framework: as its streams, they would cost twice as much, and it writes the names of headers in small
 * letters, while real clients look them up by exactly these spellings (C22).
 */
function toResponse({ env: { outgoing } }: Context<Bindings>, answer: Answer): Response {
  const { status, headers, body, reset, cookies, bare } = answer;
  if (reset === true) outgoing.socket?.destroy();
  const isText = typeof body === 'string';
  const isEmpty = status === 204 || status === 304;
  const written: Record<string, string | number | string[]> = {
    // Without a length an empty 201 would be sent in chunks, and strict clients wait for its body.
    ...(isText && !isEmpty ? { 'Content-Length': Buffer.byteLength(body) } : {}),
    ...headers,
    ...(cookies === undefined ? {} : { 'Set-Cookie': [...cookies] }),
  };
  if (bare === true) {
    delete written['Content-Length'];
    outgoing.writeHead(status, '', written);
  } else outgoing.writeHead(status, written);
  if (isText) outgoing.end(isEmpty ? undefined : body);
  else body.pipe(outgoing);
  return RESPONSE_ALREADY_SENT;
}

/** The HTTP application: one Hono route for each row of the routing table, a refusal of other methods, and the rest. */
export function createApp(seams: Seams, scheme: 'http' | 'https'): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const { routes } = seams.routing;
  const answer = async (c: Context<Bindings>, rest: Omit<Call, 'request'>) =>
    toResponse(c, await seams.front.handle({ request: wireRequest(c.env.incoming, scheme), ...rest }));

  for (const route of routes) {
    const paths = [route.path, `${route.path}/`];
    app.on(route.method, paths, (c) => answer(c, { route, params: c.req.param() as Record<string, string> }));
  }
  const families = new Set(routes.map(({ family }) => `${PATH_PREFIX}/${family}/:id`));
  for (const path of new Set([...routes.map((route) => route.path), ...families])) {
    const allowed = [...new Set(routes.filter((route) => route.path === path).map(({ method }) => method))];
    app.all(path, (c) => answer(c, { params: {}, allowed }));
    app.all(`${path}/`, (c) => answer(c, { params: {}, allowed }));
  }
  app.notFound((c) => answer(c, { params: {} }));
  return app;
}

/** Addresses that `127.0.0.1` and `localhost` mean (C21). */
const LOOPBACK = ['127.0.0.1', '::1'] as const;
/** Tries to find one free port for both loopback addresses. */
const TRIES = 20;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function serverFor(
  listener: Listener,
  { certificate, clientCa }: Pick<ListenOptions, 'certificate' | 'clientCa'>,
): Server {
  // A header block of up to 64 KiB: long filters are legal.
  const options = { maxHeaderSize: 64 * 1024, keepAliveTimeout: 65_000, noDelay: true };
  const asking = clientCa === undefined ? {} : { requestCert: true, rejectUnauthorized: true, ca: clientCa };
  return certificate === undefined
    ? createServer(options, listener)
    : createTlsServer({ ...options, key: certificate.key, cert: certificate.chain, ...asking }, listener);
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port, backlog: 2048 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const codeOf = (fault: unknown) => (fault as { code?: string }).code ?? '';

/** Servers on all hosts at one port; undefined if a further host has the port taken. */
async function bindAll(
  make: () => Server,
  hosts: readonly string[],
  wanted: number,
): Promise<{ port: number; servers: readonly Server[] } | undefined> {
  const servers: Server[] = [];
  let port = wanted;
  for (const host of hosts) {
    const server = make();
    try {
      port = await bind(server, host, port);
      servers.push(server);
    } catch (fault) {
      // A machine without IPv6 has only one loopback address.
      if (servers.length > 0 && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(fault))) continue;
      await Promise.all(servers.map(closed));
      if (servers.length > 0 && wanted === 0 && codeOf(fault) === 'EADDRINUSE') return undefined;
      throw new UsageError('cannot-listen', `cannot listen on ${host} port ${port}: ${messageOf(fault)}`, {
        hint:
          codeOf(fault) === 'EADDRNOTAVAIL' || codeOf(fault) === 'ENOTFOUND'
            ? 'use --host to name an address of this machine'
            : 'use --port to choose another port; 0 takes a free one',
      });
    }
  }
  return { port, servers };
}

/** Resets the connections that come while so many are open, on all servers of one deployment together. */
function cappedServer(most: number | null): (server: Server) => Server {
  let open = 0;
  if (most === null) return (server) => server;
  return (server) =>
    server.on('connection', (socket: Socket) => {
      if (open >= most) return void socket.resetAndDestroy();
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
    });
}

interface ListenOptions {
  readonly port: number;
  readonly host?: string;
  readonly certificate?: Certificate;
  /** Authority of the certificates that clients have to show; none is asked for if absent. */
  readonly clientCa?: string;
  /** Connections at one time; no limit if absent or null. */
  readonly connections?: number | null;
}

/** Serves an application on a port, 0 for a free one. Throws `UsageError` if the port cannot be had. */
export async function listen(fetch: Hono['fetch'], options: ListenOptions) {
  const listener = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
    overrideGlobalObjects: false,
  });
  const capped = cappedServer(options.connections ?? null);
  const hosts = options.host === undefined || options.host === 'localhost' ? LOOPBACK : [options.host];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const bound = await bindAll(() => capped(serverFor(listener, options)), hosts, options.port);
    if (bound === undefined) continue;
    const { port, servers } = bound;
    return { host: hosts[0] ?? '127.0.0.1', port, close: () => Promise.all(servers.map(closed)).then(() => undefined) };
  }
  throw new UsageError('cannot-listen', 'found no port that is free on all loopback addresses');
}
