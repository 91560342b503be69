import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a stub target saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers a request of a stub. */
export type StubAnswer = (request: SeenRequest, response: ServerResponse, raw: IncomingMessage) => void;

/** A real HTTP(S) server on a free port of 127.0.0.1 that answers as the test says and remembers what it was asked. */
export async function stubTarget(answer: StubAnswer, tls?: { readonly key: string; readonly cert: string }) {
  const seen: SeenRequest[] = [];
  let [connections, atOnce, mostAtOnce] = [0, 0, 0];
  const listener = (raw: IncomingMessage, response: ServerResponse) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    const chunks: Buffer[] = [];
    raw.on('data', (chunk: Buffer) => chunks.push(chunk));
    raw.on('end', () => {
      const { method = '', url = '', headers } = raw;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(request);
      answer(request, response, raw);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    /** Connections accepted so far. */
    connections: () => connections,
    /** The most requests that were in work at the same time. */
    mostAtOnce: () => mostAtOnce,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
export type StubTarget = Awaited<ReturnType<typeof stubTarget>>;

/** Such a server for the test that runs, closed after it. */
export async function stubOfTest(...given: Parameters<typeof stubTarget>): Promise<StubTarget> {
  const target = await stubTarget(...given);
  onTestFinished(target.close);
  return target;
}

/** What a list shows that holds nothing. */
export const EMPTY_LIST = { SearchResult: { total: 0, resources: [] } };

/** Answers with JSON, with `Content-Length` as real deployments send it. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
