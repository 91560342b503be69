import type { Exchange } from '../../lib/client/types.ts';
import { LIST_ENVELOPE } from '../../lib/contract/list.ts';
import type { Family } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { rootKey } from '../../lib/wire/request.ts';
import { Blocked, CheckFailure } from './check.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for any 2xx: which one is not shown (gap G-07). */
export function isSuccess({ status }: Pick<Exchange, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** True where the answer says that this login may not do it: permissions are not shown (gap G-10). */
export function isForbidden({ status }: Pick<Exchange, 'status'>): boolean {
  return status === 401 || status === 403;
}

/** One line that says how a request was answered. */
export function answerText(exchange: Exchange): string {
  const body = exchange.body.replace(/\s+/g, ' ').slice(0, 160);
  return `${exchange.request.method} ${exchange.request.path} answered ${exchange.status}${body === '' ? '' : ` ${body}`}`;
}

/** Requires a 2xx. Throws `Blocked` where the login may not, `CheckFailure` for any other answer. */
export function mustSucceed(exchange: Exchange, expected: string): Exchange {
  if (isSuccess(exchange)) return exchange;
  if (isForbidden(exchange)) throw new Blocked(`no permission: ${answerText(exchange)}`);
  throw new CheckFailure(expected, answerText(exchange));
}

/** Requires a 2xx of something that another check judges. Throws `Blocked` for any other answer. */
export function prerequisite(exchange: Exchange): Exchange {
  if (isSuccess(exchange)) return exchange;
  throw new Blocked(`what this check compares with does not answer: ${answerText(exchange)}`);
}

/**
 * Record in the answer to a single read: what the one root key holds, whichever it is (the specification shows none),
 * or the answer itself where it has an id of its own.
 */
export function recordOf(exchange: Pick<Exchange, 'json'>): JsonObject | undefined {
  const { json } = exchange;
  if (!isObject(json)) return undefined;
  const entries = Object.values(json);
  if (LIST_ENVELOPE.root in json) return undefined;
  return entries.length === 1 && isObject(entries[0]) ? entries[0] : 'id' in json ? json : undefined;
}

/** Root key of the answer to a single read; undefined where it has not just one. */
export function rootOf(exchange: Pick<Exchange, 'json'>): string | undefined {
  const keys = isObject(exchange.json) ? Object.keys(exchange.json) : [];
  return keys.length === 1 ? keys[0] : undefined;
}

/** Root keys under which a record of the family is known to be answered. */
export function knownRoots(family: Family): readonly string[] {
  return [rootKey(family, 'create') ?? family.roots.resource, vendorFacts(family.name).readRoot].filter(
    (root) => root !== undefined,
  );
}

/** Entries of a list answer; undefined where it is not a list envelope. */
export function entriesOf(exchange: Pick<Exchange, 'json'>): readonly JsonObject[] | undefined {
  const result = isObject(exchange.json) ? exchange.json[LIST_ENVELOPE.root] : undefined;
  const items = isObject(result) ? result[LIST_ENVELOPE.items] : undefined;
  return Array.isArray(items) ? items.filter(isObject) : undefined;
}

/** Address of the next page; absent, null, empty and `{}` all mean that there is none. */
export function nextHref(exchange: Pick<Exchange, 'json'>): string | undefined {
  const result = isObject(exchange.json) ? exchange.json[LIST_ENVELOPE.root] : undefined;
  const next = isObject(result) ? result[LIST_ENVELOPE.next] : undefined;
  const href = isObject(next) ? next[LIST_ENVELOPE.href] : undefined;
  return typeof href === 'string' && href !== '' ? href : undefined;
}

/** Id of a record or list entry as text. */
export function idOf(record: JsonObject | undefined): string | undefined {
  const id = record?.['id'];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Id that the answer to a create or bulk submit gives: last path element of Location, or a member of the body. */
export function givenId(exchange: Exchange, members: readonly string[] = ['id']): string | undefined {
  const location = exchange.headers['location'];
  const last = location
    ?.split(/[?#]/)[0]
    ?.split('/')
    .filter((part) => part !== '')
    .at(-1);
  if (last !== undefined) return decodeURIComponent(last);
  const held = [exchange.json, ...(isObject(exchange.json) ? Object.values(exchange.json) : [])].filter(isObject);
  for (const object of held) {
    for (const member of members) {
      const id = object[member];
      if (typeof id === 'string' || typeof id === 'number') return String(id);
    }
  }
  return undefined;
}
