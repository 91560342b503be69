import { decoded } from '../text.ts';
import type { ExchangeRecord } from './conformance.ts';

export const isTaken = ({ method, status }: ExchangeRecord): boolean =>
  method !== 'GET' && status >= 200 && status < 300;

/** Id in the address that a create, or a bulk request, was answered with. */
export function createdId(exchange: ExchangeRecord): string | undefined {
  const { method, path, responseHeaders } = exchange;
  const location = responseHeaders.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (!isTaken(exchange) || !(method === 'POST' || isBulk({ path }))) return undefined;
  return (location?.split(/[?#]/)[0]?.split('/') ?? []).findLast((part) => part !== '');
}

export const isBulk = ({ path }: Pick<ExchangeRecord, 'path'>): boolean => path.endsWith('/bulk/submit');

/** True for a write to an endpoint: its record is made by the target. */
export const isOfEndpoint = ({ path }: Pick<ExchangeRecord, 'path'>): boolean => /\/(apply|clear)$/.test(path);

/** Id of the record that a write made, changed or removed; undefined for one to endpoints, or in bulk. */
export function writtenId(exchange: ExchangeRecord): string | undefined {
  if (isBulk(exchange) || isOfEndpoint(exchange)) return undefined;
  return createdId(exchange) ?? /^\/?ers\/config\/[^/?]+\/([^/?]+)$/.exec(exchange.path)?.[1];
}

/** Words of a request, ids and names among them. */
export const wordsOf = ({ path, body = '' }: { readonly path: string; readonly body?: string }): readonly string[] =>
  `${decoded(path)} ${body}`.split(/[^\w-]+/);

/** What of a request names records. */
export type Named = Pick<ExchangeRecord, 'path'> & Partial<Pick<ExchangeRecord, 'requestBody' | 'family'>>;

/** Shorter words of a body may be numbers, and no ids. */
const LEAST_WORD = 6;

export const sentWords = ({ path, requestBody: body = '' }: Named): readonly string[] => [
  ...wordsOf({ path }),
  ...wordsOf({ path: '', body }).filter((word) => word.length >= LEAST_WORD),
];

/** True for a bulk request that makes records. */
export const isBulkCreate = ({ path, requestBody = '' }: Named): boolean =>
  isBulk({ path }) && /operationType"?\s*[:=]\s*"create"/.test(requestBody);

/**
 * Those of the writes, in order, that requests rest on: all writes to records that the requests name, the creates of records that these
 * writes, or the requests beside them, name in turn, and the bulk requests among them; of requests for endpoints, all writes to
 * endpoints. `names` are those of records, by id.
 */
export function restsOn(
  requests: readonly Named[],
  writes: readonly ExchangeRecord[],
  {
    beside = [],
    names = new Map(),
  }: { readonly beside?: readonly Named[]; readonly names?: ReadonlyMap<string, string> } = {},
): readonly ExchangeRecord[] {
  // Of a name with other characters in it, a request holds the first word as it is.
  const first = new Map([...names].map(([id, name]) => [id, /[\w-]+/.exec(name)?.[0] ?? name]));
  const known = new Set([...first.values(), ...first.keys(), ...writes.flatMap((one) => createdId(one) ?? [])]);
  const namedIn = (each: Named) =>
    sentWords(each)
      .filter((word) => known.has(word))
      .flatMap((word) => [word, first.get(word) ?? word]);
  const own = new Set(requests.flatMap(namedIn));
  const needed = new Set([...own, ...beside.flatMap(namedIn)]);
  const families = new Set(requests.map(({ family }) => family));
  const isNeeded = (write: ExchangeRecord) => {
    if (isOfEndpoint(write)) return families.has(write.family);
    if (isBulk(write)) return sentWords(write).some((word) => (isBulkCreate(write) ? needed : own).has(word));
    return own.has(writtenId(write) ?? '') || needed.has(createdId(write) ?? '');
  };
  return writes
    .toReversed()
    .filter((write) => {
      const isOne = isNeeded(write);
      if (isOne) for (const word of namedIn(write)) needed.add(word);
      return isOne;
    })
    .toReversed();
}
