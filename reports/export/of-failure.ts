import { jsonOf } from '../../lib/json-text.ts';
import { shownOf } from '../../lib/judge/conformance/cause/shown.ts';
import type { ConformanceResult, ExchangeRecord } from '../../lib/records/conformance.ts';
import { createdId, isBulk, isTaken, type Named, wordsOf } from '../../lib/records/rests-on.ts';
import { decoded } from '../../lib/text.ts';
import { entriesOf, idOf, recordOf } from '../../lib/wire/answer.ts';
import { type Asserted, namedIn, taken } from './claims.ts';
import { ofEndpoints } from './endpoints.ts';
import type { Claim, Step } from './script.ts';
import { exchangeStep, isSuccess, type Kept, reading } from './steps.ts';

export interface Asked {
  /** The exchanges of its evidence up to the one that shows it. */
  readonly sent: readonly ExchangeRecord[];
  readonly request: Step;
  readonly claims: readonly Claim[];
  /** What names the records, and the endpoints, that it rests on. */
  readonly named: readonly Named[];
  readonly texts: readonly string[];
  /** Steps before the request that find what it names. */
  readonly finds?: readonly Step[];
  readonly notes?: readonly string[];
  /** If it is said otherwise than in the result. */
  readonly expected?: string;
  readonly observed?: string;
}

/** Path of the record that a delete, or a bulk delete, was to remove and did not; undefined for anything else. */
function leftBy(last: ExchangeRecord, { observed = '' }: ConformanceResult, { made }: Kept): string | undefined {
  if (!isTaken(last)) return undefined;
  if (last.method === 'DELETE') return last.path;
  const isDelete = /operationType"?\s*[:=]\s*"delete"/.test(last.requestBody ?? '');
  const id = wordsOf({ path: '', body: observed }).find((word) => made.has(word));
  return isBulk(last) && isDelete && id !== undefined ? last.path.replace(/bulk\/submit$/, id) : undefined;
}

const recordIn = (text: string) => recordOf({ json: jsonOf(text) });

const pathOf = ({ path }: ExchangeRecord): string => path.split('?')[0] ?? path;

/** What an answer lacks, or shows besides, of that to the request that it was compared with: the same without a header or a parameter. */
function compared(last: ExchangeRecord, sent: readonly ExchangeRecord[], { made }: Kept): Asserted | undefined {
  const other = sent.findLast(
    (each) =>
      each.method === 'GET' &&
      each.status === 200 &&
      pathOf(each) === pathOf(last) &&
      each.path.length <= last.path.length &&
      each.responseBody !== last.responseBody,
  );
  if (last.method !== 'GET' || other === undefined) return undefined;
  const [those, these] = [other, last].map((each) => (entriesOf({ json: jsonOf(each.responseBody) }) ?? []).map(idOf));
  const lacking = those?.filter((id) => !these?.includes(id)) ?? [];
  // One of the run needs nothing that another deployment may not have.
  const id = lacking.find((one) => one !== undefined && made.has(one)) ?? lacking[0];
  if (id !== undefined) return taken({ kind: 'holds', texts: [id], isThere: true });
  const [record, shown] = [recordIn(other.responseBody), recordIn(last.responseBody)];
  const member = Object.keys(record ?? {}).find(
    (name) => name !== 'link' && JSON.stringify(record?.[name]) !== JSON.stringify(shown?.[name]),
  );
  return member && record && shown && taken({ kind: 'member', member, value: record[member] });
}

const isReadOf = ({ method, path }: ExchangeRecord, write: ExchangeRecord): boolean =>
  method === 'GET' && path.endsWith(createdId(write) ?? write.path);

/** What is claimed of the last answer, from what the failure is about; a text says why that cannot be written down. */
function asserted(
  { failure, observed, expected = '', evidence }: ConformanceResult,
  exchanges: readonly ExchangeRecord[],
  kept: Kept,
): Asserted {
  const last = exchanges.at(-1);
  if (failure === undefined || last === undefined) return 'the run did not record what it is about';
  const { kind, operation, subject = '' } = failure;
  if (kind === 'refused') return last.status >= 400 ? taken() : 'the request that was refused is not in its evidence';
  const isRead = last.method === 'GET';
  if (kind === 'accepted' || (kind === 'no-effect' && operation === 'delete' && isRead))
    return isSuccess(last.status)
      ? { expects: 'refused', claims: [] }
      : 'the request that was taken is not in its evidence';
  const id = /^\/ers\/config\/[^/]+\/([^/?]+)$/.exec(last.path)?.[1];
  if (kind === 'no-effect' && operation === 'read' && isRead && last.status >= 400) return taken();
  if (kind === 'no-effect' && operation === 'read' && isRead && id !== undefined)
    return taken({ kind: 'holds', texts: [`"${id}"`], isThere: true });
  const [, what, name = ''] = /^(header|member) (\S+)$/.exec(subject) ?? [];
  if (kind === 'missing' && what === 'header') return taken({ kind: 'header', name });
  const write = exchanges.findLast((each) => each.method !== 'GET' && isSuccess(each.status));
  const isOfWrite = write !== undefined && isReadOf(last, write);
  if (kind === 'missing' && what === 'member' && (operation === 'read' || isOfWrite))
    return taken({ kind: 'member', member: name });
  // What a read by id says is no witness of the id: a list tells whose name it is.
  const [said = ''] = /[\w-]{6,}/.exec(expected.slice('id '.length)) ?? [];
  const asked = decoded(last.path.split('/').at(-1) ?? '');
  const isNamed =
    operation === 'readByName' &&
    name === 'id' &&
    [...kept.exchanges.values()].some((each) =>
      entriesOf({ json: jsonOf(each.responseBody) })?.some((one) => idOf(one) === said && one['name'] === asked),
    );
  const record = isRead && what === 'member' ? recordIn(last.responseBody) : undefined;
  const value = isOfWrite ? recordIn(write.requestBody ?? '')?.[name] : isNamed ? said : undefined;
  if (kind === 'value' && record !== undefined && value !== undefined && record[name] !== value)
    return taken({ kind: 'member', member: name, value });
  const all = evidence.flatMap((one) => kept.exchanges.get(one) ?? []);
  const about = /^(header|parameter) /.test(subject) ? compared(last, all, kept) : undefined;
  return about ?? `what it lacks cannot be seen in one answer: ${observed ?? subject}`;
}

/** Place of the write that was taken against the rules, by the record that it made or a text that it sent: a control comes after it. */
function acceptedIn({ failure, observed = '' }: ConformanceResult, exchanges: readonly ExchangeRecord[]): number {
  const text = /"[^"]+"/.exec(observed)?.[0];
  return exchanges.findIndex((each) => {
    if (failure?.kind !== 'accepted' || !isTaken(each)) return false;
    const isSent = text !== undefined && each.requestBody?.includes(text) === true;
    return isSent || observed.includes(createdId(each) ?? '\n');
  });
}

/** The list that gave the id of a record of others which a read was refused for: another list may give the right one. */
function listedBy(shows: ExchangeRecord, sent: readonly ExchangeRecord[], { made }: Kept): readonly Step[] {
  const id = pathOf(shows).split('/').at(-1) ?? '';
  const placeIn = ({ responseBody }: ExchangeRecord) =>
    entriesOf({ json: jsonOf(responseBody) })?.findIndex((entry) => idOf(entry) === id) ?? -1;
  const list = made.has(id) ? undefined : sent.findLast((one) => placeIn(one) >= 0);
  return list === undefined ? [] : [{ ...exchangeStep(list, 'taken'), creates: id, from: placeIn(list) }];
}

/** A failure that no grounds tell of, from the exchanges of its evidence; a text says why there is no file. */
export function ofFailure(result: ConformanceResult, exchanges: readonly ExchangeRecord[], kept: Kept): Asked | string {
  const { failure } = result;
  const place = acceptedIn(result, exchanges);
  const shown = failure && shownOf(result, kept.exchanges)?.exchange;
  const end = place >= 0 ? place : exchanges.findIndex(({ id }) => id === shown?.id);
  // What a write lost of what it sent is seen in the first read of its record.
  const [, member = '\n'] = /^member (\S+)$/.exec(failure?.subject ?? '') ?? [];
  const write = exchanges.slice(end, end + 1).find((one) => isTaken(one) && one.requestBody?.includes(member));
  const isLost = failure?.kind === 'missing' && write !== undefined;
  const read = exchanges.findIndex((each, at) => isLost && at > end && isReadOf(each, write));
  const until = exchanges.slice(0, end < 0 ? undefined : Math.max(end, read) + 1);
  const endpoints = ofEndpoints(result, until, kept);
  if (endpoints !== undefined) return endpoints;
  const shows = until.at(-1);
  if (shows === undefined) return 'the run kept no requests that show it';
  const left = failure?.kind === 'no-effect' ? leftBy(shows, result, kept) : undefined;
  const asked = { sent: until, texts: [shows.path, shows.requestBody ?? ''] };
  if (left !== undefined)
    return { ...asked, request: reading(left, { expects: 'refused' }), claims: [], named: [{ path: left }] };
  const claims = asserted(result, until, kept);
  if (typeof claims === 'string') return claims;
  return {
    ...asked,
    ...{ request: exchangeStep(shows, claims.expects), claims: claims.claims },
    finds: failure?.kind === 'refused' && failure.subject === 'record' ? listedBy(shows, until, kept) : [],
    named: [shows, ...namedIn(claims.claims).map((path) => ({ path }))],
  };
}
