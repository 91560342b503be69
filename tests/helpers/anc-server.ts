import type { IncomingMessage, ServerResponse } from 'node:http';
import { stubTarget } from './stub-target.ts';

/** What a target does with a request whose body has arrived. */
export type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** Connections that k6 may replace in a cell: on a busy machine Go closes one whose answer overtook the report that its request was written. */
export const REPLACED = 10;

export function afterDelay(ms: number): Answer {
  return (_request, _body, response) => {
    setTimeout(() => response.writeHead(204).end(), ms);
  };
}

/** A target that answers writes, with what it was sent: bodies and headers of the PUT requests, in order of arrival. */
async function ancServer(answer: Answer) {
  const bodies: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const target = await stubTarget((request, response, raw) => {
    if (request.method === 'PUT') {
      bodies.push(request.body);
      headers.push(request.headers);
    }
    answer(raw, request.body, response);
  });
  return { ...target, bodies, headers };
}

export type AncServer = Awaited<ReturnType<typeof ancServer>>;

const open: AncServer[] = [];

/** Such a target for one of the tests of a file, which closes all of them in the end. */
export async function ancServerOfTest(answer: Answer): Promise<AncServer> {
  const server = await ancServer(answer);
  open.push(server);
  return server;
}

/** Closes those that the tests of a file have opened. */
export async function closeAncServers(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}
