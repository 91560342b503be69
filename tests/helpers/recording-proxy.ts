import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it passed, with what of the journal had been written by then. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Entries of the journal when the request arrived. */
  readonly journaled: number;
}

export interface RecordingProxy {
  readonly baseUrl: string;
  readonly passed: readonly Passed[];
  readonly close: () => Promise<void>;
}

/** What a proxy does otherwise than its target. */
export interface Otherwise {
  /** Status of a request that is not passed on, or its status and the words of the answer; 0 closes its connection. */
  readonly refuses?: (request: Passed) => number | { readonly status: number; readonly words: string } | undefined;
  /** Body of an answer instead of the one that came. */
  readonly shows?: (path: string, body: string) => string;
}

/** Stands before a target, passes everything on, and remembers every request: a witness outside the client. */
export async function recordingProxy(
  target: string,
  journaled: () => number = () => 0,
  { refuses, shows = (_, body) => body }: Otherwise = {},
): Promise<RecordingProxy> {
  const passed: Passed[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    const { method = '', url: path = '', headers } = incoming;
    const seen = journaled();
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const request = { method, path, body: body.toString(), journaled: seen };
      passed.push(request);
      const refused = refuses?.(request);
      if (refused === 0) return void outgoing.destroy();
      if (typeof refused === 'number') return void outgoing.writeHead(refused).end();
      if (refused !== undefined) {
        const messages = [{ title: refused.words, type: 'ERROR', code: 'Application resource validation exception' }];
        outgoing.writeHead(refused.status, { 'Content-Type': 'application/json' });
        return void outgoing.end(JSON.stringify({ ERSResponse: { operation: 'any', messages } }));
      }
      const onward = forward({ hostname, port, method, path, headers }, async (answer) => {
        const { 'content-length': _, ...others } = answer.headers;
        const shown = shows(path, Buffer.concat(await answer.toArray()).toString());
        outgoing.writeHead(answer.statusCode ?? 502, others).end(shown);
      });
      onward.on('error', () => outgoing.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
