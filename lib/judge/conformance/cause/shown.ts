import { FAMILIES } from '../../../contract/families.ts';
import { LIST_ENVELOPE } from '../../../contract/list.ts';
import { OPS } from '../../../contract/operations.ts';
import type { Family } from '../../../contract/types.ts';
import { jsonOf } from '../../../json-text.ts';
import type { ExchangeRecord } from '../../../records/conformance.ts';
import type { ResultReport } from '../../../records/report.ts';
import { titleOf } from '../../../said.ts';
import { pageNumber, short, some, visibleText } from '../../../text.ts';
import type { Told } from './address.ts';
import type { Failed } from './causes.ts';
import { failureOf } from './failure.ts';

const LONGEST_QUOTE = 200;

/** `/ers/config/{family}`. */
const FAMILY_PARTS = 3;

const OPERATIONS: Readonly<Record<string, { readonly path: string; readonly mutates: boolean }>> = OPS;

export const isMutating = (operation: string): boolean => OPERATIONS[operation]?.mutates === true;

/** The request that shows a failure and how it was answered, with the other requests that it rests on. */
export interface Shown {
  readonly exchange: ExchangeRecord;
  readonly beside: readonly ExchangeRecord[];
  /** The server's own words, on one line, at most 200 characters; empty for an answer that is no refusal. */
  readonly words: string;
  /** Whether the answer is a refusal, none at all, or not of this API: its words tell more than its place. */
  readonly refused: boolean;
  /** What the link of a page to the next one does to its query: `leaves out filter`. */
  readonly lost?: string;
}

type Answer = Pick<ExchangeRecord, 'status' | 'responseHeaders'>;

const typeOf = ({ responseHeaders }: Answer) =>
  responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1].split(';')[0] ?? '';

/** True for a page of a login or a gateway, which answers in place of the API. */
const isPage = (exchange: Answer) => /\bhtml\b/i.test(typeOf(exchange));

/** True for a body that was kept whole, says that it is JSON and is none: one that was cut on its way. */
const isBroken = ({ responseBody: body, bytes, ...exchange }: ExchangeRecord) =>
  /\bjson\b/i.test(typeOf(exchange)) &&
  body.trim() !== '' &&
  Buffer.byteLength(body) === bytes &&
  jsonOf(body) === undefined;

const isRefusal = (exchange: ExchangeRecord) =>
  exchange.status === 0 || exchange.status >= 400 || isPage(exchange) || isBroken(exchange);

/** Parameters as a server reads them, however they are encoded and in whichever case; the two directions of a sort are one. */
const readIn = ({ path }: ExchangeRecord) =>
  [...new URLSearchParams(path.split('?')[1])].flatMap(([name, value]) =>
    /^page$/i.test(name)
      ? []
      : { name, kind: name.toLowerCase().replace(/^sort.*/, 'sort'), text: `${name}=${value}`.toLowerCase() },
  );

/** The page whose link to the next one leaves out a part of the query, or asks for something else; undefined if no two pages show that. */
function lossOf(sent: readonly ExchangeRecord[]): Pick<Shown, 'exchange' | 'lost'> | undefined {
  for (const [at, next] of sent.slice(1).entries()) {
    const page = sent[at] as ExchangeRecord;
    const [asked, kept] = [readIn(page), readIn(next)];
    const isNext = next.family === page.family && pageNumber(next.path) === pageNumber(page.path) + 1;
    if (!isNext || next.operation !== 'list') continue;
    const count = (list: typeof asked, kind: string) => list.filter((each) => each.kind === kind).length;
    const isKept = ({ text }: (typeof asked)[number]) => kept.some((each) => each.text === text);
    const left = asked.filter(({ kind }) => count(kept, kind) < count(asked, kind));
    const changed = asked.filter((each) => !isKept(each));
    const names = (list: typeof asked) => some([...new Set(list.map(({ name }) => name))]);
    // What a link keeps, it keeps as it was; a question of its own has another size, or other parameters.
    const isRest = kept.every(({ text }) => asked.some((each) => each.text === text));
    if (left.length > 0 && isRest) return { exchange: page, lost: `leaves out ${names(left)}` };
    const isOwn = left.length > 0 || changed.some(({ kind }) => kind === 'size');
    if (!isOwn && changed.length > 0) return { exchange: page, lost: `changes ${names(changed)}` };
  }
  return undefined;
}

/** True for the page that a failure is about. */
export const isTold = (exchange: ExchangeRecord, page: number | undefined): boolean =>
  page === pageNumber(exchange.path);

const VIEWS: ReadonlySet<string> = new Set(
  Object.values<Family>(FAMILIES).flatMap(({ name, viewOf }) => (viewOf === undefined ? [] : [name])),
);

/** The header that a failure is about, as the end of its name. */
function headerOf(subject: string): string | undefined {
  if (subject.startsWith('media type ')) return 'content-type';
  return /^header (\w+)$/.exec(subject)?.[1]?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const sentIn = ({ exchange }: Pick<Shown, 'exchange'>, header: string) =>
  exchange.requestHeaders.find(([given]) => given.toLowerCase().endsWith(header));

/** Subjects of the headers that any request may do without. */
const OPTIONAL: ReadonlySet<string> = new Set(['header ersMediaType', 'header csrfToken']);

/** Subject of a write that is refused and carried out. */
export const REFUSED = 'refusal status';

const ADDRESS = /\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b/i;

/** Requirements of reads, lists and views. */
export const OF_READS = /^(?:OP-.*-[RL]|VIEW-|SPC-NODE)/;

/** The exchange that shows a failure: the last of its operation; of a refusal the last refused, of a write's effect the last taken. */
export function shownOf(result: ResultReport, exchanges: ReadonlyMap<string, ExchangeRecord>): Shown | undefined {
  const { evidence, expected = '', observed = '', family } = result;
  const { requirement, operation, kind, subject } = failureOf(result);
  const sent = evidence.flatMap((id) => exchanges.get(id) ?? []);
  // What was written well and is shown wrong is the fault of the answer that shows it.
  const isOfRead = isMutating(operation) && OF_READS.test(requirement) && kind !== 'refused';
  const isOwn = (each: ExchangeRecord) => (isOfRead ? each.method === 'GET' : each.operation === operation);
  const header = OPTIONAL.has(subject) ? headerOf(subject) : undefined;
  const carries = (exchange: ExchangeRecord) => header !== undefined && sentIn({ exchange }, header) !== undefined;
  const operated = sent.filter(isOwn);
  // What a header does shows the request that carries it, and not the one without that it is compared with.
  const all = operated.some(carries) ? operated.filter(carries) : operated;
  // What was sent to another endpoint did nothing to this one.
  const [address] = ADDRESS.exec(expected) ?? [];
  const toIt = all.filter(
    ({ requestBody }) => address !== undefined && requestBody?.toUpperCase().includes(address.toUpperCase()),
  );
  const of = toIt.length > 0 ? toIt : all;
  // A view is compared with what its families show.
  const ofView = requirement.startsWith('VIEW-') ? of.filter((each) => VIEWS.has(each.family)) : [];
  // Records of other families are made for one that points at them, or stand beside it.
  const [, written = family] = /^OP-(.*)-[A-Z]$/.exec(requirement) ?? [];
  const ofFamily = of.filter((each) => each.family === written);
  const own = [ofView, ofFamily].find((some) => some.length > 0) ?? of;
  // A read without effect was not answered with the record; what is read later only compares.
  const isRefused = kind === 'refused' || subject === REFUSED || (kind === 'no-effect' && !isMutating(operation));
  // What was tried later, to find a condition, may be refused for another reason.
  const [, method, path, status] = /\b([A-Z]+) (\S+) answered (\d{3})\b/.exec(observed) ?? [];
  const isSaid = (each: ExchangeRecord) => each.method === method && each.path === path && `${each.status}` === status;
  const [, told = status] = /^status (\d{3})$/.exec(observed) ?? [];
  const isOfStatus = (each: ExchangeRecord) => isRefusal(each) && `${each.status}` === told;
  const said = sent.findLast(isSaid) ?? own.findLast(isOfStatus) ?? own.findLast(isRefusal) ?? sent.findLast(isRefusal);
  const refused = isRefused ? said : undefined;
  const taken = !isRefused && isMutating(operation) && !isOfRead ? own.findLast((each) => !isRefusal(each)) : undefined;
  const loss = requirement === 'LST-NEXT' ? lossOf(sent) : undefined;
  const named = own.findLast((each) => isTold(each, result.failure?.page));
  const exchange = loss?.exchange ?? refused ?? taken ?? named ?? own.at(-1) ?? sent.at(-1);
  if (exchange === undefined) return undefined;
  // What a check deletes in the end says nothing of what it looked at.
  const at = sent.indexOf(exchange);
  return {
    exchange,
    beside: sent.filter((one, index) => index < at || one.operation !== 'delete'),
    ...answerOf(exchange),
    ...loss,
  };
}

export function answerOf(exchange: ExchangeRecord): Pick<Shown, 'words' | 'refused'> {
  if (!isRefusal(exchange)) return { words: '', refused: false };
  const { responseBody: body, fault = '', bytes } = exchange;
  const title = isBroken(exchange) ? `${bytes} bytes that are no JSON` : titleOf({ json: jsonOf(body), body });
  const said = (body === '' ? fault : title).replace(/\s+/g, ' ').trim();
  return { words: visibleText(short(said, LONGEST_QUOTE)), refused: true };
}

/** An answer, in which numbers and the names of one request and of one family count for nothing. */
export function answerMark({ exchange, words }: { readonly exchange: Answer; readonly words: string }): string {
  const alike = words
    .replace(/(['"`[(])[^'"`\])]*['"`\])]|\S*\d\S*|\b[A-Z]{3,}\b/g, '…')
    .replace(/[a-z]+/gi, (word) => (word.toLowerCase() in FAMILIES ? '…' : word));
  return `${exchange.status} ${isPage(exchange) ? typeOf(exchange) : ''} ${alike}`;
}

/** Words of paths that are no ids or names. */
const ROUTES: ReadonlySet<string> = new Set(Object.values(OPERATIONS).flatMap(({ path }) => path.split('/')));

/** Parts of the path of a family; ids and names of records as `{id}`: `ers`, `config`, the family, `{id}`. */
export function pathParts({ path }: Pick<ExchangeRecord, 'path'>): readonly string[] {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  return parts.map((part, at) => (at < FAMILY_PARTS || ROUTES.has(part) ? part : '{id}'));
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** What is short about the answer of a list: no next page although it says that there is more, or no record at all. */
export function shortListOf({ responseBody, path }: ExchangeRecord): 'cut' | 'empty' | undefined {
  const json = jsonOf(responseBody);
  const result = isObject(json) ? json[LIST_ENVELOPE.root] : undefined;
  const items = isObject(result) ? result[LIST_ENVELOPE.items] : undefined;
  if (!isObject(result) || !Array.isArray(items)) return undefined;
  if (items.length === 0) return 'empty';
  const more = Number(result['total']) > items.length && !/[?&]page=(?!1\b)/.test(path);
  return more && result[LIST_ENVELOPE.next] === undefined ? 'cut' : undefined;
}

export const lacks = ({ responseBody, status, operation }: ExchangeRecord, member: string): boolean =>
  status >= 200 && status < 300 && /^read/.test(operation) && !responseBody.includes(`"${member}"`);

/** Parameters of a query without their operands: `filter=name.EQ`, `size=100`. */
export function parametersOf({ path }: Pick<ExchangeRecord, 'path'>): readonly string[] {
  const query = path.split('?')[1] ?? '';
  return query.split('&').flatMap((part) => {
    if (part === '') return [];
    const [name = '', value = ''] = part.split('=');
    return [/^filter$/i.test(name) ? `${name}=${value.split('.').slice(0, 2).join('.')}` : part];
  });
}

/** The header that a failure is about, if its request leaves that out. */
export function headerLeftOut(subject: string, shown: Shown): string | undefined {
  const header = headerOf(subject);
  return header === undefined || sentIn(shown, header) !== undefined ? undefined : header;
}

/** The headers that failures are about, as they were sent: `without the header accept or content-type`, `with Accept: application/xml`. */
export function headerWords({ failure: { subject } }: Failed, alike: readonly Told[]): string {
  const header = headerOf(subject);
  if (header === undefined) return '';
  const absent = new Set(alike.flatMap((one) => headerLeftOut(one.failure.subject, one.shown) ?? []));
  if (absent.size > 0) return ` without the header ${[...absent].join(' or ')}`;
  const sent = alike.map(({ shown }) => sentIn(shown, header)).find((each) => each !== undefined);
  // A refused type is the whole fault; of what is taken, the condition or the value tells.
  const isRefused = alike.some(({ shown }) => shown.refused);
  const isUsual = subject.startsWith('media type ') && !isRefused && /^application\/(json|xml)$/.test(sent?.[1] ?? '');
  // Which parameter it is matters to none of those that are refused for having one.
  return sent === undefined || isUsual ? '' : ` with ${sent.join(': ').replace(/;.*/, ';…')}`;
}
