import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { messageOf, UsageError } from '../../lib/errors.ts';
import type { Certificate } from './certificate.ts';

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
        hint: 'use --port to choose another port; 0 takes a free one',
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
