import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a tiny target does with a request whose body has arrived. */
export type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

export interface AncServer {
  readonly baseUrl: string;
  /** Bodies of the PUT requests, in order of arrival. */
  readonly bodies: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** The most requests that were in work at the same time. */
  readonly mostAtOnce: () => number;
  readonly close: () => Promise<void>;
}

/**
 * Connections that k6 may replace in a cell: on a busy machine Go closes one whose answer overtook the report that its
 * request was written.
 */
export const REPLACED = 10;

/** Answers 204 after a delay. */
export function afterDelay(ms: number): Answer {
  return (_request, _body, response) => {
    setTimeout(() => response.writeHead(204).end(), ms);
  };
}

/** A target of a few lines on a free port of the loopback interface. */
export async function ancServer(answer: Answer): Promise<AncServer> {
  const bodies: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  let connections = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer((request, response) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method === 'PUT') {
        bodies.push(body);
        headers.push(request.headers);
      }
      answer(request, body, response);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    bodies,
    headers,
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Such a target for one test, after which it is closed. */
export async function ancServerOfTest(answer: Answer): Promise<AncServer> {
  const server = await ancServer(answer);
  onTestFinished(() => server.close());
  return server;
}
