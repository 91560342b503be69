import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { OPS, PATH_PREFIX } from '../../lib/contract/operations.ts';
import type { FamilyTable, Op } from '../../lib/contract/types.ts';
import { Problem } from '../answers/problem.ts';

/** A request as it came over the socket, before anything is read from it. */
export interface WireRequest {
  readonly method: string;
  /** Path without its query, still escaped. */
  readonly path: string;
  /** Query without its question mark, still escaped. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Scheme and host the client used, for the links of answers. */
  readonly origin: string;
  /** Stands for the connection the request came on; absent if there is none. */
  readonly connection?: object;
  /** Body as text; throws a `Problem` (413) above the limit. */
  readonly body: () => Promise<string>;
}

/** An answer ready to be written; `reset` closes the socket instead. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable;
  readonly reset?: true;
  readonly cookies?: readonly string[];
  /** Written in chunks, and with no words behind the status. */
  readonly bare?: true;
}

/** One route of the deployment: a row of the operations table with its family. */
export interface Route {
  readonly method: string;
  /** Path below the host with `:id`, `:name` or `:bulkid`. */
  readonly path: string;
  readonly family: string;
  readonly op: Op;
}

/** A request with the route it took; without one where no route matched. */
export interface Call {
  readonly request: WireRequest;
  readonly route?: Route;
  readonly params: Readonly<Record<string, string>>;
  /** Methods the path has, where only the method was wrong. */
  readonly allowed?: readonly string[];
}

/** First value of a header; undefined if it was not sent. */
export function headerOf(request: WireRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Largest body in bytes that is read. */
const BODY_LIMIT_BYTES = 1024 * 1024;

const tooLarge = () =>
  new Problem(413, 'size', `The body is larger than ${BODY_LIMIT_BYTES} bytes`, { headers: { Connection: 'close' } });

/** Body of a message as UTF-8 text. Throws `Problem` (413) above the limit. */
function readText(incoming: IncomingMessage): Promise<string> {
  if (Number(incoming.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
      else reject(tooLarge());
    });
    incoming.once('end', () =>
      resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString('utf8')),
    );
    incoming.once('error', reject);
    incoming.once('close', () => reject(new Problem(400, 'schema', 'The body ended early')));
  });
}

export function wireRequest(incoming: IncomingMessage, scheme: 'http' | 'https'): WireRequest {
  const url = incoming.url ?? '/';
  const at = url.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    path: at < 0 ? url : url.slice(0, at),
    query: at < 0 ? '' : url.slice(at + 1),
    headers: incoming.headers,
    origin: `${scheme}://${incoming.headers.host ?? 'localhost'}`,
    connection: incoming.socket,
    body: () => readText(incoming),
  };
}

/** Fixed paths come before those with a parameter, or `versioninfo` would be an id. */
function byParameters(a: Route, b: Route): number {
  const parameters = (route: Route) => route.path.split(':').length;
  return parameters(a) - parameters(b);
}

export function routeOf(name: string, op: Op): Route {
  const below = OPS[op].path.replace(/\{(\w+)\}/g, ':$1');
  return { method: OPS[op].method, path: `${PATH_PREFIX}/${name}${below}`, family: name, op };
}

export function routesOf(table: FamilyTable): readonly Route[] {
  return Object.entries(table)
    .flatMap(([name, family]) => family.ops.map((op) => routeOf(name, op)))
    .sort(byParameters);
}
