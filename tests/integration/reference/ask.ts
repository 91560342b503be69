import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { PATH_PREFIX } from '../../../lib/contract/operations.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../../../reference/server.ts';
import { ofTests } from '../../helpers/served.ts';

export const LOGIN = { username: 'tester', password: 'a-test-password' };

export interface Reply {
  readonly status: number;
  /** Names as they came over the wire. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Body as JSON; throws where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies of many shapes
  readonly json: () => any;
  /** Last path element of Location. */
  readonly id: () => string;
}

export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

export interface Served extends ReferenceServer {
  /** Sends a request below /ers/config, logged in, bodies as JSON unless they are text. */
  readonly ask: Ask;
}

/** Authorization of the login. */
export const BASIC = `Basic ${Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64')}`;

/** A deployment of a few sessions with a known login, and a way to ask it. */
export async function serve(options: ReferenceOptions = {}): Promise<Served> {
  const server = await startReference({ sessions: 100, credentials: LOGIN, ...options });
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const ask: Ask = async (method, path, body, headers = {}) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const url = path.startsWith('http') ? path : `${server.baseUrl}${PATH_PREFIX}/${path}`;
    const typed = text !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    };
    const own = { Authorization: BASIC, Accept: 'application/json', ...typed };
    const sent = request(url, { method, agent, headers: { ...own, ...headers } });
    sent.end(text);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = await textOf(response);
    return {
      status: response.statusCode ?? 0,
      rawHeaders: response.rawHeaders.filter((_, index) => index % 2 === 0),
      headers: response.headers,
      text: answer,
      json: () => JSON.parse(answer),
      id: () => response.headers.location?.split('/').at(-1) ?? '',
    };
  };
  return {
    ...server,
    ask,
    close: async () => {
      agent.destroy();
      await server.close();
    },
  };
}

/** Such a deployment for the test that runs, closed after it. */
export async function serveOne(options: ReferenceOptions = {}): Promise<Served> {
  const served = await serve(options);
  onTestFinished(() => served.close());
  return served;
}

/** Such a deployment for the tests of a group. */
export const servedOfGroup = (options?: ReferenceOptions): Served => ofTests(() => serve(options));

export type AncPair = readonly [name: string, value: string];

/** Body of an apply or clear with these pairs, in order. */
export function ancBody(...pairs: readonly AncPair[]): unknown {
  return { OperationAdditionalData: { additionalData: pairs.map(([name, value]) => ({ name, value })) } };
}

/** A deployment with these personas and rules, closed after the test. */
export const withRules = (...personas: readonly string[]): Promise<Served> => serveOne({ personas });

/** Body of a create of a security group. */
export function group(name: string, value = 4000, more: object = {}): unknown {
  return { Sgt: { name, value, ...more } };
}

/** Names in a list of a family. */
export async function names(ask: Ask, family: string): Promise<readonly (string | undefined)[]> {
  const { resources } = (await ask('GET', `${family}?size=100`)).json().SearchResult;
  return (resources as readonly { name?: string }[]).map(({ name }) => name);
}
