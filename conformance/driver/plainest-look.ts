import { hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { judge } from '../model/judge.ts';
import { isCut, wayRequirement } from '../model/membership.ts';
import { isOfList, type ListQuestion, type Observation, type ReadQuestion } from '../model/observation.ts';
import { PLAIN } from '../steps/step.ts';
import { type Asked, askBeside, askRead } from './ask.ts';
import { isWrittenBeside } from './patience.ts';
import { factsOf, type Session } from './session.ts';
import type { Shown } from './settle.ts';

/** Records of the sequence that are read, if a difference names none: each read is a request for each difference. */
const MOST_READ = 6;

/** More records than most lists hold; a target that takes fewer on a page is asked for fewer. */
export const WHOLE_SIZE = 100;

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

/** Plainer lists, plainest first: everything, each filter, the order, all filters, then both. Pages hold most lists whole. */
function plainer({ filters, join, sort, family }: ListQuestion): readonly ListQuestion[] {
  const plain = { window: 'list', family, size: WHOLE_SIZE } as const;
  return [
    // A record that is in no list at all, no filter is to blame for.
    ...(filters.length > 0 ? [{ ...plain, filters: [] }] : []),
    ...(filters.length > 1 || join !== undefined ? filters.map((filter) => ({ ...plain, filters: [filter] })) : []),
    ...(sort === undefined || filters.length === 0 ? [] : [{ ...plain, filters: [], sort }]),
    { ...plain, filters, join },
    ...(sort === undefined || filters.length < 2
      ? []
      : filters.map((filter) => ({ ...plain, filters: [filter], sort }))),
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

/** The first page, counted from 1, that differs from that part of the whole list; undefined if none does. */
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
  const { kind, subject, times = 0 } = difference.about;
  const isRecords = kind === 'records' && subject !== 'pages' && times > 0;
  const isOfWay = isOfList(seen) && difference.requirement === 'LST-NEXT' && isRecords;
  if (!isOfWay || seen.question.filters.length === 0 || isLinkShort(seen)) return { seen, difference };
  const [first, ...others] = seen.question.filters;
  const lone = seen.question.join === undefined ? `FOP-${first?.operator}` : 'LST-FTYPE';
  return { seen, difference: { ...difference, requirement: others.length === 0 ? lone : 'LST-FILT' } };
}

/** The difference as the plainest look shows it: the read, else a plainer list, or the pages if these alone show it. */
export async function plainestLook(session: Session, found: Shown, look: () => Promise<Observation>): Promise<Shown> {
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
  if (isWrittenBeside(session)) await session.eventually(async () => (isWrittenBeside(session) ? undefined : true));
  if (isWrittenBeside(session)) return found;
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
