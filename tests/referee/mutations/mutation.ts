import type { Asked, Reply } from '../exchange.ts';

/** What a mutation may know of the deployment it speaks for. */
export interface World {
  readonly random: () => number;
  readonly foreignIds: (family: string) => readonly string[];
  /** A record that somebody else makes at this moment; its id. */
  readonly colleague: (family: string) => Promise<string | undefined>;
  /** Gives an id that was removed to a record of somebody else. */
  readonly handOn: (family: string, id: string) => Promise<void>;
  /** Somebody else renames a record of this run, or makes another one under its id: from then on it is theirs. */
  readonly takeOver: (family: string, id: string, how: 'renames' | 'makes anew') => Promise<void>;
  /** Ids that creates of this run were told, in order, and the names they sent. */
  readonly told: readonly { readonly family: string; readonly id: string }[];
  readonly sentNames: readonly string[];
  /** Origin of another server, which must never see the login. */
  readonly elsewhere: string;
  readonly ownOrigin: string;
  /** Login in one of the ways it may come back. */
  readonly echo: (random: () => number) => string;
  /** The last answer of another family to the same operation. */
  readonly otherAnswer: (asked: Asked) => Reply | undefined;
  readonly poolMacs: readonly string[];
}

/** One way in which a deployment can misbehave. */
export interface Mutation {
  readonly id: string;
  readonly on: (asked: Asked) => boolean;
  /** Changes the answer; undefined leaves it. */
  readonly answer?: (reply: Reply, asked: Asked, world: World) => Reply | undefined | Promise<Reply | undefined>;
  /** Answers without the deployment: the request has no effect. */
  readonly instead?: (asked: Asked, world: World) => Reply | undefined;
  /** Changes the request before the deployment gets it. */
  readonly request?: (asked: Asked, world: World) => Asked;
}

export const answering = (id: string, on: Mutation['on'], answer: NonNullable<Mutation['answer']>): Mutation => ({
  id,
  on,
  answer,
});

export function pick<T>(random: () => number, list: readonly T[]): T {
  const chosen = list[Math.floor(random() * list.length)];
  if (chosen === undefined) throw new Error('nothing to pick from');
  return chosen;
}

/** Changes some member of a JSON value, found by chance. */
export function changed(value: unknown, random: () => number, change: (value: unknown) => unknown): unknown {
  const keys = typeof value === 'object' && value !== null && random() >= 0.15 ? Object.keys(value) : [];
  if (keys.length === 0) return change(value);
  const key = pick(random, keys);
  const held = value as Record<string, unknown>;
  const inner = changed(held[key], random, change);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...held, [key]: inner };
}

/** Changes the texts of a JSON value, each by the member that holds it. */
export function texts(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((item) => texts(item, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, texts(held, change, name)]));
}

const JSON_HEADERS = { 'content-type': 'application/json' } as const;

/** A small JSON answer. */
export function reply(status: number, value?: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { ...JSON_HEADERS, ...headers },
    body: Buffer.from(value === undefined ? '' : JSON.stringify(value)),
  };
}

export const isGet = ({ method, op }: Asked): boolean => method === 'GET' && op !== undefined;
export const isCreate = ({ op }: Asked): boolean => op === 'create';
export const isList = ({ op }: Asked): boolean => op === 'list';
export const isAnything = ({ op }: Asked): boolean => op !== undefined;
