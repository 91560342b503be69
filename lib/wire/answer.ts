import { LIST_ENVELOPE } from '../contract/list.ts';
import { PATH_PREFIX } from '../contract/operations.ts';
import type { Family } from '../contract/types.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a reader needs of an answer; header names in lower case, `json` undefined if the body is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** The text that came, where it is kept. */
  readonly body?: string;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for the body of an error, or of an operation that failed, as published answers have them: a target may send them with 200. */
function isError(json: unknown): boolean {
  const has = (root: string, list: string, member: string, value: string) => {
    const entries = isObject(json) && isObject(json[root]) && json[root][list];
    return Array.isArray(entries) && entries.some((entry) => isObject(entry) && entry[member] === value);
  };
  return has('ERSResponse', 'messages', 'type', 'ERROR') || has('OperationResult', 'resultValue', 'value', 'FAILURE');
}

/** True for a web page, which a login or a gateway answers with in place of the API, some with 200. */
export const isWebPage = (body: string): boolean => /^\s*<(!doctype|html)/i.test(body);

/** True for any 2xx that is no web page and does not hold an error: the specification does not show which one (gap G-07). */
export const isSuccess = ({
  status,
  json,
  body = '',
}: Pick<Answer, 'status'> & Partial<Pick<Answer, 'json' | 'body'>>): boolean =>
  status >= 200 && status < 300 && !isError(json) && !isWebPage(body);

/** True if the answer says that it was done: 202 says that it was taken in, and may be refused later (RFC 9110, 15.3.3). */
export const isDone = (answer: Pick<Answer, 'status' | 'json'>): boolean => isSuccess(answer) && answer.status !== 202;

/** True if this login may not do it: the specification does not show permissions (gap G-10). */
export const isForbidden = ({ status }: Pick<Answer, 'status'>): boolean => status === 401 || status === 403;

/** True if there is nothing at the path, any more or at all (RFC 9110, 15.5.5 and 15.5.11). */
export const isNotFound = ({ status }: Pick<Answer, 'status'>): boolean => status === 404 || status === 410;

export const isNotServed = ({ status }: Pick<Answer, 'status'>): boolean => [404, 405, 501].includes(status);

/** True if the request is too large for the target: its body, its address or its headers (RFC 9110, 15.5.14 and 15.5.15; RFC 6585, 5). */
export const isTooLarge = ({ status }: Pick<Answer, 'status'>): boolean => [413, 414, 431].includes(status);

/** True if the answer leads elsewhere: whether the request was carried out, it does not say (RFC 9110, 15.4). */
export const isRedirect = ({ status }: Pick<Answer, 'status'>): boolean => status >= 300 && status < 400;

/** True for JSON without any value in it, such as `null`, `{}` or `{"Sgt":null}`; not for an answer that is none. */
export const holdsNothing = (json: unknown): boolean =>
  json === null || (typeof json === 'object' && Object.values(json).every(holdsNothing));

/** True if somebody stopped waiting for the request, or closes a connection that was idle (RFC 9110, 15.5.9): it says nothing of what was asked. */
export const isTimedOut = ({ status }: Pick<Answer, 'status'>): boolean => status === 408;

/** True if an answer says that a write was not done: the target itself refuses it, and nobody stopped waiting (RFC 9110, 15.5). */
export const isUndone = (answer: Pick<Answer, 'status'>): boolean =>
  answer.status >= 400 && answer.status < 500 && !isTimedOut(answer);

/** True if somebody on the way stopped waiting, or a gateway got no answer that it understands: the write may have taken effect (RFC 9110, 15.5.9, 15.6.3 and 15.6.5). */
export const isCutOff = (answer: Pick<Answer, 'status'>): boolean =>
  isTimedOut(answer) || answer.status === 502 || answer.status === 504;

/** Statuses that may be about the moment. Any other refusal is about the request or its record, whatever Retry-After comes with it: some targets send it with every answer. */
export const OF_TIME: ReadonlySet<number> = new Set([403, 408, 409, 413, 423, 425, 429, 503]);
/** Statuses that say nothing of what was asked: the way there, the length of the address, or the pace. */
export const IN_PASSING: ReadonlySet<number> = new Set([408, 414, 425, 429, 431, 502, 503, 504]);

/** True if the target asks to come again later: 429, or another answer about the moment with Retry-After (RFC 9110, 10.2.3). */
export const isOverloaded = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean =>
  status === 429 || (headers['retry-after'] !== undefined && OF_TIME.has(status));

/** True if what a target holds may be why it refuses: it did not fail, and serves such a request (RFC 9110, 15.5; RFC 4918, 11.5). */
export const isOfState = (answer: Pick<Answer, 'status'>): boolean =>
  answer.status === 507 || (isUndone(answer) && !isNotServed(answer) && !refusesMedia(answer));

/** True if the target does not take the media type of the body, or has none that is asked for (RFC 9110, 15.5.7 and 15.5.16). */
export const refusesMedia = ({ status }: Pick<Answer, 'status'>): boolean => status === 406 || status === 415;

/** What a list of one holds, and anything else as it is. */
const only = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

/**
 * Record in the answer to a single read, which the specification does not show: what its one root key holds, whichever that is, also below
 * a further key or in a list of one; the answer itself if it has an id, else what has one in a member or below its key, the largest if
 * there are several.
 * Undefined for a list.
 */
export function recordOf({ json }: Pick<Answer, 'json'>): JsonObject | undefined {
  const held = only(json);
  if (!isObject(held) || LIST_ENVELOPE.root in held) return undefined;
  const members = Object.values(held).map(only);
  if (members.length === 1 && isObject(members[0])) {
    const below = 'id' in members[0] ? undefined : recordOf({ json: members[0] });
    return below !== undefined && 'id' in below ? below : members[0];
  }
  if ('id' in held) return held;
  const records = members.flatMap((member) => {
    // What has a name is a record without an id, and no envelope.
    const isBelow = isObject(member) && !('id' in member) && !('name' in held);
    const record = isBelow ? recordOf({ json: member }) : member;
    return isObject(record) && 'id' in record ? [record] : [];
  });
  const size = (record?: JsonObject) => Object.keys(record ?? {}).length;
  const [largest, next] = records.sort((one, other) => size(other) - size(one));
  return size(largest) > size(next) ? largest : undefined;
}

/** Root key of the answer to a single read; undefined if it has not exactly one. */
export function rootOf({ json }: Pick<Answer, 'json'>): string | undefined {
  const keys = isObject(json) ? Object.keys(json) : [];
  return keys.length === 1 ? keys[0] : undefined;
}

/** What a list answer holds under its root; undefined if it is not a list envelope. */
function searchResult({ json }: Pick<Answer, 'json'>): JsonObject | undefined {
  const result = isObject(json) ? json[LIST_ENVELOPE.root] : undefined;
  return isObject(result) ? result : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Last part of the path of an address, as text: the id of the record that it leads to. Undefined if there is none. */
export function endOf(address: string): string | undefined {
  const parts = (address.split(/[?#]/)[0] ?? '').split('/');
  const last = parts.filter((part) => part !== '').at(-1);
  return last === undefined ? undefined : decoded(last);
}

/** What a member with links holds: one address or several, in a list or by what they are (HAL). */
const linksIn = (held: unknown): readonly JsonObject[] =>
  Array.isArray(held)
    ? held.flatMap(linksIn)
    : !isObject(held)
      ? [{ [LIST_ENVELOPE.href]: held }]
      : LIST_ENVELOPE.href in held
        ? [held]
        : Object.entries(held).flatMap(([rel, link]) => linksIn(link).map((each) => ({ ...each, rel })));

/** Address of a record as it or its list entry tells it, in whichever form; undefined for that of anything else (RFC 8288, 3.3). */
export function linkOf(record: JsonObject): string | undefined {
  const all = ['link', 'links', '_links'].flatMap((member) => (member in record ? linksIn(record[member]) : []));
  const [own] = ['self', 'item', undefined].flatMap((rel) => all.filter((each) => each['rel'] === rel));
  const href = own?.[LIST_ENVELOPE.href];
  return typeof href === 'string' ? href : undefined;
}

function withLinkId(entry: JsonObject): JsonObject {
  const id = endOf(linkOf(entry) ?? '');
  return id === undefined ? entry : { ...entry, id };
}

/** What an entry holds under its one key, such as the root key of its family: the form of entries is not shown. */
function unwrapped(entry: JsonObject): JsonObject {
  const [held, ...more] = Object.values(entry);
  return more.length === 0 && isObject(held) && ('id' in held || 'link' in held) ? held : entry;
}

/** Entries of a list answer, undefined if it is none. If no entry has an id, the links tell it. */
export function entriesOf(answer: Pick<Answer, 'json'>): readonly JsonObject[] | undefined {
  // Without records the list itself may be left out, too: only what it says of its number tells it from no list.
  const items = searchResult(answer)?.[LIST_ENVELOPE.items] ?? (totalOf(answer) === 0 ? [] : undefined);
  if (!Array.isArray(items)) return undefined;
  const entries = items.filter(isObject).map(unwrapped);
  return entries.some((entry) => 'id' in entry) ? entries : entries.map(withLinkId);
}

/** Items of a list answer, whatever they are; 0 if it is not a list envelope. */
export function itemCount(answer: Pick<Answer, 'json'>): number {
  const items = searchResult(answer)?.[LIST_ENVELOPE.items];
  return Array.isArray(items) ? items.length : 0;
}

/** Address of the next page; absent, null, empty and an object without any value all mean that there is none. */
export function nextHref(answer: Pick<Answer, 'json'>): string | undefined {
  const next = searchResult(answer)?.[LIST_ENVELOPE.next];
  const href = isObject(next) ? next[LIST_ENVELOPE.href] : undefined;
  return typeof href === 'string' && href !== '' ? href : undefined;
}

/** Number of records that a list answer says it has in all; the specification does not name it. */
export function totalOf(answer: Pick<Answer, 'json'>): number | undefined {
  const total = searchResult(answer)?.['total'];
  return typeof total === 'number' ? total : undefined;
}

/** Characters of an id or an address that a request can carry: servers take 8 KiB of a request line. */
export const LONGEST = 8192;

/** What no path can carry: it names no record. */
const UNSENDABLE: ReadonlySet<string> = new Set(['', '.', '..']);

/** Id of a record or list entry as text; undefined if there is none that a request could name. */
export function idOf(record: JsonObject | undefined): string | undefined {
  const id = record?.['id'];
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return UNSENDABLE.has(String(id)) || String(id).length > LONGEST ? undefined : String(id);
}

/** What an address has between the prefix and its end: the family, in that of a record by its id; undefined for one of another form. */
const familyIn = (address: string): string | undefined =>
  new RegExp(`${PATH_PREFIX}/([^?#]+)/[^/?#]`).exec(address)?.[1];

/** The first id in a body: in one of the members of what it holds under a key ('' for the body itself), as far as that may have it. */
function idInBody(
  json: unknown,
  members: readonly string[],
  mayHave: (key: string, held: JsonObject) => boolean = () => true,
): string | undefined {
  const entries = isObject(json) ? [['', json] as const, ...Object.entries(json)] : [];
  const objects = entries.flatMap(([key, held]) => (isObject(held) && mayHave(key, held) ? [held] : []));
  const ids = objects.flatMap((object) => members.map((member) => object[member]));
  const id = ids.find((each) => typeof each === 'string' || typeof each === 'number');
  return id === undefined ? undefined : String(id);
}

/** Id that the answer to a write gives: last path segment of Location, else a member of the body. */
export const answeredId = ({ headers, json }: Answer, members: readonly string[] = ['id']): string | undefined =>
  endOf(headers['location'] ?? '') ?? idInBody(json, members);

/**
 * Id that the answer to a create gives for its record: that of Location, unless it leads elsewhere than to a record of the family
 * (another family, or a page with a query), else one in the body under the root key of the family or beside the name. Any other is
 * that of something else, such as a job.
 */
export function createdIdOf(
  { headers: { location = '' }, json }: Answer,
  family: Pick<Family, 'name' | 'roots'> | undefined,
  name: unknown,
): string | undefined {
  const isElsewhere = location.includes(`${PATH_PREFIX}/`)
    ? familyIn(location) !== family?.name
    : location.includes('?');
  const isRecord = (key: string, held: JsonObject) =>
    key === family?.roots.resource || Object.values(held).includes(name);
  return (isElsewhere ? undefined : endOf(location)) ?? idInBody(json, ['id'], isRecord);
}
