import type { Op } from '../../lib/contract/types.ts';

/** A request as the proxy saw it. */
export interface Asked {
  readonly method: string;
  /** Path with query, as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Family in the path; '' where there is none. */
  readonly family: string;
  /** Operation by method and path; undefined for what the tables do not know. */
  readonly op: Op | undefined;
  /** Segment after the family, decoded where it can be; undefined for a whole family. */
  readonly id: string | undefined;
}

/** How an answer reaches the client, where not at once and whole. */
export interface Delivery {
  /** Wait before the first byte. */
  readonly delayMs?: number;
  /** Bytes of the body after which the connection is closed. */
  readonly cutAfter?: number;
  /** Nothing is ever sent; the connection stays open. */
  readonly silent?: true;
  /** Bytes of the body that are sent every 20 ms. */
  readonly dripBytes?: number;
  /** What is sent without an end: a body in chunks, headers, or one byte of a header every 20 ms. */
  readonly endless?: 'chunks' | 'headers' | 'drip';
}

/** An answer, as it came from the deployment or as a mutation left it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
  readonly delivery?: Delivery;
}

/** One request with what the deployment answered and what the client was told instead. */
export interface Audited {
  readonly number: number;
  /** When it was answered, monotonic. */
  readonly atMs: number;
  readonly asked: Asked;
  /** Null where the request was kept from the deployment. */
  readonly honest: Reply | null;
  readonly told: Reply;
  /** Ids of the mutations that changed it. */
  readonly mutations: readonly string[];
}

const RECORD_OPS: Readonly<Record<string, Op>> = { GET: 'read', PUT: 'update', DELETE: 'delete' };
const NAMED: Readonly<Record<string, Op>> = { versioninfo: 'version', apply: 'apply', clear: 'clear' };

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export function classify(method: string, url: string): Pick<Asked, 'family' | 'op' | 'id'> {
  const [, ers, config, family = '', second, third] = (url.split(/[?#]/)[0] ?? '').split('/').map(decoded);
  if (ers !== 'ers' || config !== 'config') return { family: '', op: undefined, id: undefined };
  if (second === undefined || second === '') {
    const op = method === 'POST' ? 'create' : method === 'GET' ? 'list' : undefined;
    return { family, op, id: undefined };
  }
  if (second === 'bulk') return { family, op: third === 'submit' ? 'bulkSubmit' : 'bulkMonitor', id: third };
  return { family, op: NAMED[second] ?? RECORD_OPS[method], id: second };
}

/** Body of an answer as JSON; undefined where it is none. */
export function jsonIn({ body }: Reply): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The answer with another JSON body. */
export function withJson(reply: Reply, value: unknown): Reply {
  return withText(reply, JSON.stringify(value) ?? '');
}

/** The answer with another body as text. */
export function withText(reply: Reply, text: string | Buffer): Reply {
  const { 'content-length': _length, ...headers } = reply.headers;
  return { ...reply, headers, body: Buffer.from(text) };
}

/** The answer with one header set, or removed where the value is undefined. */
export function withHeader(reply: Reply, name: string, value: string | readonly string[] | undefined): Reply {
  const { [name]: _old, ...headers } = reply.headers;
  return { ...reply, headers: value === undefined ? headers : { ...headers, [name]: value } };
}
