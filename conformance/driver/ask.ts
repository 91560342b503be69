import type { Exchange } from '../../lib/client/types.ts';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import { defined } from '../../lib/defined.ts';
import { TargetError } from '../../lib/errors.ts';
import {
  idOf,
  isObject,
  isSuccess,
  linkOf,
  recordOf as recordIn,
  refusesMedia,
  totalOf,
} from '../../lib/wire/answer.ts';
import { type ListItem, type ListWalk, pageOf, walkList, walkOf } from '../../lib/wire/list-walk.ts';
import type { FilterTypeSpelling } from '../../lib/wire/query.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { holdsOff } from '../kit/list/value.ts';
import { xmlRecords } from '../kit/record/xml-record.ts';
import {
  type ListObservation,
  type ListQuestion,
  listText,
  type ReadObservation,
  type ReadQuestion,
  type ShownEntry,
} from '../model/observation.ts';
import { attempt } from '../steps/attempt.ts';
import { type Carried, PLAIN, type Query } from '../steps/step.ts';
import { followLinks } from './links.ts';
import { DifferenceFound, NotDone, raise, type Session } from './session.ts';

/** An exchange to be named later on: its record holds its text, and sequences keep hundreds of them. */
export const withoutText = (exchange: Exchange): Exchange => ({ ...exchange, body: '', json: undefined });

const MOST_PAGES = 60;

/** How the target spells the parameter that joins by OR; undefined if nobody found out. */
export function orSpelling({ context }: Session): FilterTypeSpelling | undefined {
  const answer = context.run.dialect('filter-type.spelling');
  return isObject(answer) ? (answer as unknown as FilterTypeSpelling) : undefined;
}

export interface Asked {
  readonly exchanges?: readonly Exchange[];
  /** Records besides the one written last that it may lack, if the run wrote while a list was read, and nothing else did. */
  readonly mayLack?: number | undefined;
  /** Numbers of the writes of the run's other sessions to what a list shows, before and after it was read. */
  readonly meanwhile?: readonly [before: number, after: number];
}

/** Reads one record. Throws `NotDone` for a read by name of a record whose name nobody knows. */
export async function askRead(
  session: Session,
  question: ReadQuestion,
  carried: Carried,
): Promise<ReadObservation & Asked> {
  const { family, id, window, form } = question;
  const headers = form === 'xml' ? { headers: { accept: 'application/xml' } } : {};
  const known = session.book.get(`${family}/${id}`);
  const name = String(known?.fields['name'] ?? '');
  if (window === 'name' && name === '') throw new NotDone('no name is known');
  const read = async (more: RequestInput) =>
    (await attempt(session, 'read', { id, ...more }, carried, { on: family })).exchange;
  const first = window === 'name' ? await session.context.send('readByName', { name }, family) : await read(headers);
  const { taken, shownOff } = session.lessons;
  // Answers in XML are not shown: a target that gives none is read as it answers.
  const exchange = form === 'xml' && refusesMedia(first) && !taken.has('read xml') ? await read({}) : first;
  const json = isSuccess(exchange) ? recordIn(exchange) : undefined;
  for (const [member, value] of Object.entries(json ?? {}))
    if (!shownOff.has(member) && holdsOff(value)) shownOff.add(member);
  const asked = { question, exchanges: [withoutText(exchange)] };
  if (window === 'read' && json !== undefined) await followLinks(session, family, [entryOf({ id, record: json })]);
  if (json !== undefined) return { ...asked, shown: { status: exchange.status, record: json, form: 'json' } };
  const found = isSuccess(exchange) ? xmlRecords(exchange.body) : [];
  const record = found.find((each) => idOf(each) === id) ?? found[0];
  if (record !== undefined) taken.add('read xml');
  return { ...asked, shown: { status: exchange.status, record, form: record === undefined ? 'json' : 'xml' } };
}

function entryOf({ id, record }: ListItem): ShownEntry {
  return { id, record, ...defined({ href: linkOf(record) }) };
}

function inputOf(session: Session, { filters, join, sort, size }: ListQuestion, spelled = orSpelling(session)) {
  const spelling = join === 'or' ? spelled : undefined;
  const order = sort === undefined ? {} : sort.descending ? { sortDsc: sort.field } : { sortAsc: sort.field };
  return { ...defined({ filterType: spelling }), list: { filters, ...defined({ join, size }), ...order } };
}

interface Asking extends Pick<Query, 'paging' | 'spelling'> {
  readonly carried: Carried;
  readonly between?: (() => Promise<void>) | undefined;
}

/** Reads a list by its links, or by page numbers until a page is empty or links to no other. */
async function walk(
  session: Session,
  question: ListQuestion,
  { paging, carried, spelling, between = async () => undefined }: Asking,
): Promise<ListWalk<Exchange>> {
  const { context } = session;
  const { family } = question;
  const input = inputOf(session, question, spelling);
  let taken: RequestInput = input;
  const list = async (each: RequestInput): Promise<Exchange> => {
    const { exchange, sent } = await attempt(session, 'list', each, carried, { on: family });
    taken = sent;
    return exchange;
  };
  let isFirst = true;
  const nextPage = async () => {
    if (isFirst) await between();
    isFirst = false;
  };
  // What the first page was taken with, the others are asked for with: one that is refused may be gone since.
  const follow = async (href: string) => {
    await nextPage();
    try {
      return await context.follow(href, family, taken.headers);
    } catch (fault) {
      if (!(fault instanceof TargetError && fault.code === 'foreign-link')) throw fault;
      raise(session, {
        ...{ requirement: 'LST-NEXT', about: { kind: 'value', operation: 'list', subject: 'pages' }, family },
        expected: `a link to the next page under ${PATH_PREFIX}: ${listText(question)}`,
        observed: href.slice(0, 200),
      });
      throw new NotDone('the link leads elsewhere');
    }
  };
  const first = context.run.dialect('page.first');
  if (paging === 'link' || typeof first !== 'number') return walkList({ list, follow }, input, { pages: MOST_PAGES });
  const read = [];
  for (let page = first; page < first + MOST_PAGES; page += 1) {
    let exchange =
      page === first
        ? await list({ ...input, list: { ...input.list, page } })
        : await context.send('list', { ...taken, list: { ...taken.list, page } }, family);
    // How high a number may be is not shown: the link leads on.
    const { next } = read.at(-1) ?? {};
    if (page > first + 1 && next !== undefined && pageOf(exchange) === undefined) exchange = await follow(next);
    const got = pageOf(exchange);
    if (got === undefined) return walkOf(read, { refused: exchange });
    read.push(got);
    if (got.items.length === 0 || got.next === undefined) return walkOf(read);
    await nextPage();
  }
  return walkOf(read, { cut: 'length' });
}

/** The question with a page size that the target is known to take: the largest is not shown. Source: "Limits". */
function within({ context }: Session, question: ListQuestion): ListQuestion {
  const largest = context.run.dialect('page.largest-size');
  return typeof largest === 'number' && (question.size ?? 0) > largest ? { ...question, size: largest } : question;
}

export async function askList(
  session: Session,
  given: ListQuestion,
  asking: Asking,
): Promise<ListObservation & Required<Pick<Asked, 'meanwhile'>> & Asked & { readonly refused?: Exchange }> {
  const question = within(session, given);
  const written = () => session.context.ledger.writes(question.family, session.sent);
  const before = written();
  const { pages, refused, cut, exchanges } = await walk(session, question, asking);
  const meanwhile = [before, written()] as const;
  const shown = pages.map(({ items }) => items.map(entryOf));
  await followLinks(session, question.family, shown.flat());
  session.count.largestPage = Math.max(session.count.largestPage, ...pages.map(({ items }) => items.length));
  return {
    question,
    meanwhile,
    exchanges: exchanges.map(withoutText),
    shown: {
      pages: shown,
      end: cut ?? (refused === undefined ? 'whole' : 'refused'),
      ...defined({ status: refused?.status, total: totalOf({ json: pages[0]?.exchange.json }) }),
    },
    ...defined({ refused }),
  };
}

/** Asks for a list beside any sequence. Undefined if it is wrong by itself, as by a link that leads elsewhere: looks tell of that. */
export async function askBeside(session: Session, question: ListQuestion) {
  try {
    return await askList(session, question, { paging: 'link', carried: PLAIN });
  } catch (fault) {
    if (fault instanceof DifferenceFound || fault instanceof NotDone) return undefined;
    throw fault;
  }
}
