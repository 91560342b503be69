import { request as forward, type IncomingHttpHeaders } from 'node:http';
import { json, stubTarget } from './stub-target.ts';

/** A request as it passed. */
interface Passed {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** An answer instead of that of the target; its words are those of an error, or a page if they begin as one. */
interface Refusal {
  readonly status: number;
  readonly words: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a proxy does otherwise than its target. */
export interface Otherwise {
  /** Status of a request that is not passed on, or its status and the words of the answer; 0 closes its connection. */
  readonly refuses?: (request: Passed, headers: IncomingHttpHeaders) => number | Refusal | undefined;
  readonly asks?: (path: string, headers: IncomingHttpHeaders) => string;
  /** Status of an answer instead of the one that came. */
  readonly says?: (request: Passed, status: number) => number;
  /** Body of an answer instead of the one that came. */
  readonly shows?: (path: string, body: string) => string;
}

/** Stands before a target, passes everything on, and remembers every request: a witness outside the client. */
export async function recordingProxy(
  target: string,
  { refuses, asks = (path) => path, says = (_, status) => status, shows = (_, body) => body }: Otherwise = {},
) {
  const passed: Passed[] = [];
  const { hostname, port } = new URL(target);
  const answer: Parameters<typeof stubTarget>[0] = ({ method, url: path, headers, body }, outgoing) => {
    const request = { method, path, body };
    passed.push(request);
    const refused = refuses?.(request, headers);
    if (refused === 0) return void outgoing.destroy();
    if (typeof refused === 'number') return void outgoing.writeHead(refused).end();
    if (refused?.words.startsWith('<') === true)
      return void outgoing
        .writeHead(refused.status, { 'Content-Type': 'text/html', ...refused.headers })
        .end(refused.words);
    if (refused !== undefined) {
      const messages = [{ title: refused.words, type: 'ERROR', code: 'Application resource validation exception' }];
      return json(outgoing, refused.status, { ERSResponse: { operation: 'any', messages } }, refused.headers);
    }
    const onward = forward({ hostname, port, method, path: asks(path, headers), headers }, async (given) => {
      const { 'content-length': _, ...others } = given.headers;
      const shown = shows(path, Buffer.concat(await given.toArray()).toString());
      outgoing.writeHead(says(request, given.statusCode ?? 502), others).end(shown);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  };
  const { baseUrl, close } = await stubTarget(answer);
  return { baseUrl, passed, close };
}
export type RecordingProxy = Awaited<ReturnType<typeof recordingProxy>>;
