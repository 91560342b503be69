import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import {
  createdId,
  isBulk,
  isBulkCreate,
  isOfEndpoint,
  type Named,
  restsOn,
  sentWords,
  wordsOf,
} from '../../lib/records/rests-on.ts';
import { REPLACED_BY_CLIENT } from '../model/curl.ts';
import { AS_CLIENT, type Expected, type Step, TOKEN_HEADER } from './script.ts';

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Headers that a file has of its own: those of the client, and the token of the run. */
const OF_SESSION: ReadonlySet<string> = new Set([...REPLACED_BY_CLIENT, TOKEN_HEADER.toLowerCase()]);

/** An exchange as a step that is answered as it was. */
export function exchangeStep(exchange: ExchangeRecord, expects?: Expected): Step {
  const { method, path, requestHeaders, requestBody, status } = exchange;
  const creates = createdId(exchange);
  return {
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: requestHeaders.filter(([name]) => !OF_SESSION.has(name.toLowerCase())),
    // A delete that a deployment refuses by right leaves what the file needs.
    expects: expects ?? (isSuccess(status) && method !== 'DELETE' ? 'taken' : 'any'),
    ...(requestBody === undefined ? {} : { body: requestBody }),
    ...(creates === undefined ? {} : { creates }),
  };
}

/** What was kept of the run, as far as a file may need it. */
export interface Kept {
  readonly exchanges: ReadonlyMap<string, ExchangeRecord>;
  /** Writes that were taken, in order. */
  readonly writes: readonly ExchangeRecord[];
  /** Names of the records that the run made, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** Ids of all records that the run made, and the steps that made them, as far as these were kept. */
  readonly made: ReadonlySet<string>;
  readonly creates: ReadonlyMap<string, Step>;
  /** Place of an endpoint in the pool of the run, by its address of either kind. */
  readonly placeOf: (address: string) => unknown;
}

/** A request that reads, as the client sends it. */
export const reading = (path: string, more: Partial<Step>): Step => ({
  ...{ method: 'GET', path, headers: AS_CLIENT, expects: 'taken' },
  ...more,
});

/** The end of a bulk request as its status tells it. Source: "Special paths", bulk. */
const ENDED = 'COMPLETED';

/** The steps that do what an exchange did: a bulk request is waited for, and what it made is found by its names. */
function stepsOf(exchange: ExchangeRecord, names: Kept['names'], waits: boolean): readonly Step[] {
  const step = exchangeStep(exchange);
  const { path, creates } = step;
  if (!isBulk(step) || creates === undefined || !waits) return [step];
  const words = new Set(isBulkCreate(exchange) ? wordsOf(step) : []);
  const made = [...names].filter(([, name]) => words.has(name));
  const list = path.replace(/\/bulk\/submit$/, '');
  return [
    step,
    reading(path.replace(/submit$/, creates), { until: ENDED }),
    ...made.map(([id, name]) =>
      reading(`${list}?filter=name.EQ.${encodeURIComponent(name)}`, { creates: id, from: 'list' }),
    ),
  ];
}

/** The writes before a request that it and the others rest on, with these, as steps in order. */
export function stepsBefore(
  last: Pick<ExchangeRecord, 'at'>,
  shown: readonly Named[],
  others: readonly ExchangeRecord[],
  kept: Kept,
): readonly Step[] {
  const before = kept.writes.filter((write) => write.at <= last.at && !(shown as readonly unknown[]).includes(write));
  const needed = restsOn(shown, before, { beside: others, names: kept.names }).filter((write) => !isOfEndpoint(write));
  // What its status shows is not waited for, if that is what fails.
  const waits = !shown.some(({ path }) => path.includes('/bulk/'));
  const isLost = (id: string) => kept.made.has(id) && !kept.creates.has(id);
  // What an earlier bulk request did, it may have done beside records that nobody knows any more.
  const possible = needed.filter((write) => !isBulk(write) || !sentWords(write).some(isLost));
  return [...new Set([...others, ...possible])].sort(byTime).flatMap((one) => stepsOf(one, kept.names, waits));
}

const numberOf = ({ id }: ExchangeRecord): number => Number(/\d+$/.exec(id)?.[0] ?? 0);

export const byTime = (one: ExchangeRecord, other: ExchangeRecord): number =>
  one.at === other.at ? numberOf(one) - numberOf(other) : one.at < other.at ? -1 : 1;
