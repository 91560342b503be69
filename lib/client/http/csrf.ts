import { OPS, REQUEST_HEADERS } from '../../contract/operations.ts';
import type { FamilyTable, Op } from '../../contract/types.ts';
import { buildRequest, type RequestSpec } from '../../wire/request.ts';
import type { Delivered } from './attempt.ts';
import { headerIn, type WireAnswer } from './transport.ts';

/** Characters of cookies that a request carries: beyond it there is no session worth having. */
const LONGEST = 4096;

const PAIR = /^\s*([^=;\s]+)=\s*([\x21-\x3a\x3c-\x7e]*)/;
const ENDS = /;\s*max-age=(?:-|0+(?:;|$))|;\s*expires=[^;]*\b1970\b/i;

/** The `Cookie` header after an answer: the pairs that were `carried`, with what the answer sets or takes back (RFC 6265, 5.4). */
export function cookiesAfter(carried: string, headers: readonly (readonly [name: string, value: string])[]): string {
  const pairs = carried === '' ? [] : carried.split('; ');
  const held = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair]));
  for (const [name, value] of headers) {
    const [, key = '', text = ''] = (name === 'set-cookie' && PAIR.exec(value)) || [];
    if (key !== '') held.delete(key);
    if (text !== '' && !ENDS.test(value)) held.set(key, `${key}=${text}`);
  }
  const all = [...held.values()].join('; ');
  return all.length > LONGEST ? '' : all;
}

/** A session that was idle for 60 s loses its token; this is a little less. */
const IDLE_LIMIT_MS = 55_000;
/** Tokens in a row of which each was taken once, from which on none is thought to be taken again. */
const ONE_TIME = 2;
const TOKEN_HEADER = REQUEST_HEADERS.csrfToken.toLowerCase();

export const refusesForCsrf = (answer: WireAnswer): boolean =>
  answer.status === 403 && (/csrf/i.test(answer.body) || headerIn(answer, TOKEN_HEADER) !== undefined);

/** True if the operation's request may carry the token by itself (section "Authentication"). */
export const takesToken = (op: Op): boolean => OPS[op].headers === 'all';

/** The list that fetches a token: of the family itself, if it has one. Undefined if no family of the table lists. */
export function tokenRequest(table: FamilyTable, family: string): RequestSpec | undefined {
  const lists = [family, ...Object.keys(table)].find((name) => table[name]?.ops.includes('list'));
  if (lists === undefined) return undefined;
  return buildRequest(table, lists, 'list', { list: { size: 1 }, headers: { csrfToken: 'fetch' } });
}

/** Token and cookies of the CSRF handshake: fetched on a list, kept until refused or idle. `nowMs` is monotonic. */
export function csrfSession(neededFromStart: boolean, nowMs: () => number) {
  let needed = neededFromStart;
  let token: string | undefined;
  let usedMs = 0;
  let session = '';
  /** Writes that the token was taken for, and how many tokens in a row were refused after one write each. */
  let writes = 0;
  let single = 0;
  const isOneTime = () => single >= ONE_TIME;
  const keep = ({ answer, cookie }: Pick<Delivered, 'answer' | 'cookie'>) => {
    token = headerIn(answer, TOKEN_HEADER);
    usedMs = nowMs();
    session = cookie;
    writes = 0;
  };
  return {
    keep,
    needed: () => needed,
    /** True if each token is good for one write: then writes at one time would take each other's. */
    isOneTime,
    /** A write with these headers was taken. */
    took(headers: Readonly<Record<string, string>>, own: Delivered) {
      if (headers[REQUEST_HEADERS.csrfToken] !== token) return;
      writes += 1;
      if (isOneTime()) keep(own);
    },
    /** Keeps a token that an answer brings besides: it may be the only one that is taken from then on. */
    learn(own: Delivered) {
      if (needed && own.answer.status < 300 && headerIn(own.answer, TOKEN_HEADER) !== undefined) keep(own);
    },
    headers(): Readonly<Record<string, string>> {
      if (token === undefined) return {};
      usedMs = nowMs();
      return { [REQUEST_HEADERS.csrfToken]: token, ...(session === '' ? {} : { Cookie: session }) };
    },
    isFresh: () => token !== undefined && nowMs() - usedMs < IDLE_LIMIT_MS,
    /** A write with these headers was refused for want of a token. False if a newer one was fetched since: that is kept. */
    refused(headers: Readonly<Record<string, string>>): boolean {
      needed = true;
      const isNewest = headers[REQUEST_HEADERS.csrfToken] === token;
      if (!isNewest) return false;
      single = writes === 1 ? single + 1 : 0;
      token = undefined;
      return true;
    },
  };
}
