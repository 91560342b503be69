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

/** Stands before a target, passes everything on as it is, and remembers every request: a witness outside the client. */
export async function recordingProxy(target: string, journaled: () => number): Promise<RecordingProxy> {
  const passed: Passed[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    const { method = '', url: path = '', headers } = incoming;
    const seen = journaled();
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      passed.push({ method, path, body: body.toString(), journaled: seen });
      const onward = forward({ hostname, port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
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
