import { hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { cutText, Grounds, MOST_ENTRIES } from '../../lib/records/histories.ts';
import { nameMember } from '../kit/fields.ts';
import { type Difference, differenceKey } from '../model/difference.ts';
import { type Known, keyOf } from '../model/history.ts';
import { judge, judgeAgain } from '../model/judge.ts';
import { isCut, wayRequirement } from '../model/membership.ts';
import {
  isOfList,
  type ListObservation,
  type ListQuestion,
  type Observation,
  type ReadQuestion,
  type ShownEntry,
} from '../model/observation.ts';
import { PLAIN } from '../steps/step.ts';
import { type Asked, askBeside, askRead } from './ask.ts';
import { factsOf, type Session } from './session.ts';
import type { Shown } from './settle.ts';

const MOST_READ = 6;
const WHOLE = 100;

function concerned({ book, labels, context }: Session, { difference, seen }: Shown): readonly ReadQuestion[] {
  const { question } = seen;
  if (question.window === 'read' && question.form === 'json') return [];
  const [key = difference.holder] = [difference.record];
  const ofSequence = isOfList(seen) ? [...new Set(labels.values())].slice(0, MOST_READ) : [];
  const keys = key === undefined ? (difference.pair ?? ofSequence) : [key];
  const own = keys.flatMap((key) => book.get(key) ?? []);
  const known = 'id' in question ? [...book.values()].filter(({ id }) => id === question.id) : own;
  return known.flatMap(({ family, id }): readonly ReadQuestion[] => {
    const home = context.table[family];
    return home !== undefined && hasOp(home, 'read') ? [{ window: 'read', family, id, form: 'json' }] : [];
  });
}

/** The list of everything, with one filter, sorted, then with all filters, then sorted too: always on pages that hold most lists whole. */
function plainer({ filters, join, sort, family }: ListQuestion): readonly ListQuestion[] {
  const plain = { window: 'list', family, size: WHOLE } as const;
  return [
    // A record that is in no list at all, no filter is to blame for.
    ...(filters.length > 0 ? [{ ...plain, filters: [] }] : []),
    ...(filters.length > 1 ? filters.map((filter) => ({ ...plain, filters: [filter] })) : []),
    ...(sort === undefined || filters.length === 0 ? [] : [{ ...plain, filters: [], sort }]),
    { ...plain, filters, join },
    ...(sort === undefined ? [] : [{ ...plain, filters, join, sort }]),
  ];
}

/** Requirements of what is in a list, which its pages may have lost. */
const OF_QUERY = /^(FOP-|LST-FILT$|LST-FTYPE$|LST-SORT$)/;

/** True if a link led to a page of another query: it left out a filter, how they are joined, or the order. */
function isLinkShort({ exchanges = [] }: Asked): boolean {
  const [first, ...later] = exchanges.flatMap(({ request }) =>
    request.op === 'list' ? [new URLSearchParams(request.path.split('?')[1])] : [],
  );
  return ['filter', 'filterType', 'sortasc', 'sortdsc'].some((name) =>
    later.some((page) => page.getAll(name).length < (first?.getAll(name).length ?? 0)),
  );
}

/** The first page, from 1 on, that holds another part of the list than the same list shows on fewer pages; undefined if none does. */
function firstWrong(pages: readonly (readonly { readonly id: string }[])[], whole: readonly string[]) {
  const size = pages[0]?.length ?? 0;
  const isOther = (page: (typeof pages)[number], at: number) =>
    page.map(({ id }) => id).join() !== whole.slice(at * size, (at + 1) * size).join();
  const at = whole.length === 0 || pages.length < 2 ? -1 : pages.findIndex(isOther);
  return at < 0 ? undefined : at + 1;
}

function ofPages({ seen, difference }: Shown, question: ListQuestion): Shown {
  const about = { ...difference.about, subject: 'pages' } as const;
  return { seen, difference: { ...difference, requirement: wayRequirement(question), about } };
}

/** A record on a later page that no filter lets in, if the links to it left nothing out: then it is the filters, and not the way. */
function ofFilter({ seen, difference }: Shown): Shown {
  const { kind, subject } = difference.about;
  const isRecords = kind === 'records' && subject !== 'pages' && difference.isLost !== true;
  const isOfWay = isOfList(seen) && difference.requirement === 'LST-NEXT' && isRecords;
  const { filters = [] } = isOfWay ? seen.question : {};
  const [first, second] = filters;
  if (!isOfWay || first === undefined || isLinkShort(seen)) return { seen, difference };
  return {
    seen,
    difference: { ...difference, requirement: second === undefined ? `FOP-${first.operator}` : 'LST-FILT' },
  };
}

/** The difference as the plainest look shows it: what a read shows, no list is to blame for, nor a join for what one filter does. If only pages show it, the way between them is wrong. */
export async function plainest(session: Session, found: Shown, look: () => Promise<Observation>): Promise<Shown> {
  const shown = ofFilter(await plainestShown(session, found, look));
  const { seen, difference } = shown;
  if (!isOfList(seen) || !OF_QUERY.test(difference.requirement) || !isLinkShort(seen)) return shown;
  // What the first page shows, no link has led to.
  const isOnFirst = seen.shown.pages[0]?.some(({ id }) => difference.record?.endsWith(`/${id}`) === true);
  return isOnFirst === true ? shown : ofPages(shown, seen.question);
}

async function plainestShown(session: Session, found: Shown, look: () => Promise<Observation>): Promise<Shown> {
  const { seen, difference } = found;
  // What is on its way, no other look can be held to.
  const isBeside = () => session.count.writing > 0;
  if (isBeside()) await session.eventually(async () => (isBeside() ? undefined : true));
  if (isBeside()) return found;
  const told = (one: (Observation & Asked) | undefined): Shown | undefined => {
    const shown = one && judge(session.book, one, factsOf(session));
    return one && shown && { difference: shown, seen: one };
  };
  for (const question of concerned(session, found)) {
    const shown = told(await askRead(session, question, PLAIN));
    if (shown !== undefined) return shown;
  }
  if (!isOfList(seen)) return found;
  const { question } = seen;
  if (difference.about.kind !== 'records' && question.sort === undefined) return found;
  let whole: readonly string[] = [];
  for (const each of plainer(question)) {
    const one = await askBeside(session, each);
    const shown = told(one);
    if (shown !== undefined) return shown;
    whole = one === undefined ? [] : one.shown.pages.flat().map(({ id }) => id);
  }
  const page = firstWrong(seen.shown.pages, whole);
  const paged = { seen, difference: { ...difference, about: { ...difference.about, ...defined({ page }) } } };
  if (
    !(isCut(question, seen.shown) || question.size === undefined) ||
    !OF_QUERY.test(difference.requirement) ||
    told(await look()) === undefined
  )
    return paged;
  return ofPages(paged, question);
}

function kept(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, held: unknown) => (typeof held === 'string' ? cutText(held) : held)));
}

/** The list with known records as they were shown; of those of others the id alone, as far as there is room. */
function short(seen: ListObservation, isKnown: (entry: ShownEntry) => boolean): ListObservation {
  const { pages } = seen.shown;
  let room = MOST_ENTRIES - pages.flat().filter(isKnown).length;
  const entry = (shown: ShownEntry): readonly ShownEntry[] => {
    if (isKnown(shown)) return [shown];
    room -= 1;
    return room < 0 ? [] : [{ id: shown.id, record: {} }];
  };
  return { ...seen, shown: { ...seen.shown, pages: pages.map((entries) => entries.flatMap(entry)) } };
}

/** Keys of the records that an observation says something of: shown ones, those that a list may lack, and the one written last. */
function aboutIn({ book, labels, context: { table } }: Session, seen: Observation, latest = ''): ReadonlySet<string> {
  const { family } = seen.question;
  const homes = table[family]?.viewOf ?? [family];
  const id = 'id' in seen.question ? seen.question.id : '';
  if (!isOfList(seen)) return new Set([latest, ...homes.map((home) => keyOf(home, id))]);
  const shown = new Set(seen.shown.pages.flat().map(({ id }) => id));
  const own = new Set(labels.values());
  const isAbout = (key: string, { id, isLive }: Known) => isLive !== false || shown.has(id) || own.has(key);
  const about = [...book].filter(([key, known]) => homes.includes(known.family) && isAbout(key, known));
  return new Set([latest, ...about.map(([key]) => key)]);
}

/** What a difference rests on, as plain data within bounds; undefined if the same judgement does not come out of so little. */
export function groundsOf(session: Session, seen: Observation, difference: Difference): Grounds | undefined {
  const { history, book, context } = session;
  const { caseRule, largestPage, latest, isOurs } = factsOf(session);
  const own = isOurs && { member: nameMember(context.family) ?? 'name', prefix: session.own };
  const about = aboutIn(session, seen, latest);
  const writes = history.filter(({ family, id }) => about.has(keyOf(family, id)));
  const ids = new Set([...book.values()].map(({ id }) => id));
  const { question, shown } = isOfList(seen)
    ? short(seen, (entry) => ids.has(entry.id) || isOurs?.(entry) === true)
    : seen;
  // As it will be read: what the schema bounds, or does not know, is not kept.
  const { data: grounds } = Grounds.safeParse(
    kept({ facts: { caseRule, largestPage, latest, own }, writes, observation: { question, shown } }),
  );
  const again = grounds && judgeAgain(grounds, context.table);
  return again !== undefined && differenceKey(again) === differenceKey(difference) ? grounds : undefined;
}
