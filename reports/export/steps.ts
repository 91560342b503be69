import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import {
  createdId,
  isBulk,
  isBulkCreate,
  isOfEndpoint,
  isTaken,
  type Named,
  restsOn,
  sentWords,
} from '../../lib/records/rests-on.ts';
import { REPLACED_BY_CLIENT } from '../model/command-line.ts';
import { AS_CLIENT, type Expected, type Step, TOKEN, TOKEN_HEADER } from './script.ts';

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const headerOf = ([name, value]: readonly [string, string]): readonly [string, string] =>
  name.toUpperCase() === TOKEN_HEADER && value !== 'fetch' ? [name, TOKEN] : [name, value];

export function exchangeStep(exchange: ExchangeRecord, expects?: Expected): Step {
  const { method, path, requestHeaders, requestBody, status } = exchange;
  const creates = createdId(exchange);
  return {
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: requestHeaders.filter(([name]) => !REPLACED_BY_CLIENT.has(name.toLowerCase())).map(headerOf),
    // A delete that a deployment refuses by right leaves what the file needs.
    expects: expects ?? (isSuccess(status) && method !== 'DELETE' ? 'taken' : 'any'),
    ...(requestBody === undefined ? {} : { body: requestBody }),
    ...(creates === undefined ? {} : { creates }),
  };
}

/** What was kept of the run, as far as a file may need it. */
export interface Kept {
  readonly exchanges: ReadonlyMap<string, ExchangeRecord>;
  readonly writes: readonly ExchangeRecord[];
  /** Names of the records that the run made, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly made: ReadonlySet<string>;
  /** Place of an endpoint in the pool of the run, by its address of either kind. */
  readonly placeOf: (address: string) => unknown;
}

export const reading = (path: string, more: Partial<Step>): Step => ({
  ...{ method: 'GET', path, headers: AS_CLIENT, expects: 'taken' },
  ...more,
});

export const finding = (family: string, name: string, id: string): Step =>
  reading(`/ers/config/${family}?filter=name.EQ.${encodeURIComponent(name)}`, { creates: id, from: 0 });

/** The end of a bulk request as its status tells it. Source: "Special paths", bulk. */
const ENDED = 'COMPLETED';

const isStatus = ({ method, path }: ExchangeRecord): boolean => method === 'GET' && /\/bulk\/[^/?]+$/.test(path);

/** Names that a bulk request gives to records that the run found, by their ids. */
function namedBy({ path, requestBody = '' }: ExchangeRecord, { names }: Kept): readonly (readonly [string, string])[] {
  if (!isBulkCreate({ path, requestBody })) return [];
  return [...names].filter(([, name]) => requestBody.includes(JSON.stringify(name).slice(1, -1)));
}

/** The steps that do what exchanges did. A bulk request is waited for if it was, or if later ones need its end; its records are found. */
function stepsOf(exchanges: readonly ExchangeRecord[], kept: Kept, waits: boolean): readonly Step[] {
  const watched = new Map(
    exchanges.filter((one) => isStatus(one) && one.responseBody.includes(ENDED)).map((one) => [one.path, one]),
  );
  const made = (bulk: ExchangeRecord | undefined): readonly Step[] =>
    bulk === undefined ? [] : namedBy(bulk, kept).map(([id, name]) => ({ ...finding(bulk.family, name, id), name }));
  const statusOf = (bulk: ExchangeRecord) => bulk.path.replace(/submit$/, createdId(bulk) ?? '');
  return exchanges.flatMap((one): readonly Step[] => {
    const step = exchangeStep(one, isOfEndpoint(one) ? 'any' : undefined);
    if (isStatus(one)) {
      const isEnd = watched.get(one.path) === one;
      const bulk = exchanges.find((each) => isBulk(each) && statusOf(each) === one.path);
      return isEnd ? [{ ...step, until: ENDED }, ...made(bulk)] : [];
    }
    if (!isBulk(one) || step.creates === undefined || !waits || watched.has(statusOf(one))) return [step];
    return [step, reading(statusOf(one), { until: ENDED }), ...made(one)];
  });
}

/** The exchanges of a failure before the one that shows it that a file has to do, too. */
function needed(before: readonly ExchangeRecord[], shows: ExchangeRecord, isRefused: boolean) {
  const written = before.findLastIndex((one) => one.method !== 'GET' && !isRefused);
  return before.filter((one, at) => {
    // Of requests that were refused, the last one shows it; elsewhere the others would be taken, and stand in its way.
    if (one.method !== 'GET') return !isRefused || isTaken(one);
    if (isStatus(one)) return true;
    // The same look again and again, until a write shows or time is up: once is enough. One before the write may matter.
    const isSame = one.path === shows.path && before[at + 1]?.path !== one.path;
    return isSame && (at < written || (isRefused && isSuccess(one.status)));
  });
}

interface Before {
  readonly shows: ExchangeRecord;
  readonly sent: readonly ExchangeRecord[];
  readonly named: readonly Named[];
  readonly writes: readonly ExchangeRecord[];
  readonly isRefused: boolean;
}

/** What comes before the request that shows a failure, as steps in order: what it was sent with, and the writes that this rests on. */
export function stepsBefore({ shows, sent, named, writes, isRefused }: Before, kept: Kept): readonly Step[] {
  const others = needed(sent, shows, isRefused);
  const before = kept.writes.filter((write) => write.at <= shows.at && write !== shows);
  const all = restsOn(named, before, { beside: others, names: kept.names }).filter((write) => !isOfEndpoint(write));
  const known = new Set(before.flatMap((write) => [createdId(write) ?? '', ...namedBy(write, kept).map(([id]) => id)]));
  const isLost = (id: string) => kept.made.has(id) && !known.has(id);
  // What an earlier bulk request did, it may have done beside records that nobody knows any more.
  const possible = all.filter((write) => !isBulk(write) || !sentWords(write).some(isLost));
  const waits = !shows.path.includes('/bulk/');
  return stepsOf([...new Set([...others, ...possible, ...writes])].sort(byTime), kept, waits);
}

const numberOf = ({ id }: ExchangeRecord): number => Number(/\d+$/.exec(id)?.[0] ?? 0);

export const byTime = (one: ExchangeRecord, other: ExchangeRecord): number =>
  one.at === other.at ? numberOf(one) - numberOf(other) : one.at < other.at ? -1 : 1;
