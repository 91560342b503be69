import type { Exchange } from '../../lib/client/types.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import { pageNumber } from '../../lib/text.ts';
import { takeFresh } from '../driver/endpoints.ts';
import { WHOLE_SIZE } from '../driver/plainest-look.ts';
import { type Found, isFound, type Ran } from '../driver/run.ts';
import { live, type Session } from '../driver/session.ts';
import { heldIn, kindOf } from '../kit/list/value.ts';
import { BEYOND_ASCII, isForeign, valueWords } from '../kit/text-words.ts';
import type { Difference } from '../model/difference.ts';
import { isOfList } from '../model/observation.ts';
import { ANOTHER_FIELD, type Criterion, type Query, type Step, type Steps } from '../steps/step.ts';
import { FILTER, OPERAND } from './words.ts';

/** Does steps, and says whether they show the difference that is looked into. */
export type Try = (steps: Steps) => Promise<(Ran & { readonly isShown: false }) | (Found & { readonly isShown: true })>;

export const trying =
  (run: (steps: Steps) => Promise<Ran>, isAlike: (other: Difference) => boolean): Try =>
  async (steps) => {
    const ran = await run(steps);
    return isFound(ran) && isAlike(ran.difference) ? { ...ran, isShown: true } : { ...ran, isShown: false };
  };

/** True if a sequence shows a difference, and one that lacks a part of it does not, by turns. `isSuch`: whether what was done lacked it. */
async function isNeeded(steps: Steps, without: Steps, attempt: Try, isSuch: (ran: Ran) => boolean = () => true) {
  for (const turn of [1, 2]) {
    const ran = await attempt(without);
    if (ran.isShown || ran.notDone.has(without.length - 1) || !isSuch(ran)) return false;
    if (turn === 1 && !(await attempt(steps)).isShown) return false;
  }
  return true;
}

/** The query of the list that a sequence ends with, and the sequence with another; undefined if it does not end with a list. */
function asking(steps: Steps) {
  const last = steps.at(-1);
  if (last?.step !== 'look' || last.look.window !== 'list') return undefined;
  const { look } = last;
  const put = (query: Query): Steps => steps.with(-1, { ...last, look: { ...look, query } });
  return { query: look.query, put };
}

/** If the two filters of a list have to be on one field, or on several, as a clause; undefined if both show it, or if nobody knows. */
export async function ofFields(steps: Steps, { context: { family } }: Session, attempt: Try) {
  const asked = asking(steps);
  // More of them are told by how many they are.
  const [first, last, ...more] = asked?.query.criteria ?? [];
  if (asked === undefined || first === undefined || last === undefined || more.length > 0) return undefined;
  const { query, put } = asked;
  const isOne = first.field === last.field;
  // Which operator it is may be what matters.
  const isAlike = (each: string) => each !== last.field && kindOf(family, each) === kindOf(family, last.field);
  const alike = family.filters.filter(isAlike).map((field) => [first, { ...last, field }]);
  const other = (field: string): Criterion => ({ field, operator: 'EQ', part: 'whole', isOpen: true });
  const named = [first, last].filter(({ field, isOpen }) => isOpen !== true && field !== ANOTHER_FIELD);
  const lesser = isOne
    ? [[first, { field: ANOTHER_FIELD, operator: 'EQ', part: 'whole' } as const], ...alike]
    : // The one that is chosen is chosen to go with the first.
      named.map((each) => [each, other(each.field)]);
  if (lesser.length === 0) return undefined;
  // A family with one filter field is asked by fewer filters then.
  const isSuch = ({ exchanges }: Ran) =>
    (exchanges.findLast(({ request }) => request.op === 'list')?.request.path.match(FILTER)?.length ?? 0) > 1;
  for (const some of lesser)
    if (!(await isNeeded(steps, put({ ...query, criteria: some }), attempt, isSuch))) return undefined;
  return `the filters are on ${isOne ? 'one field' : 'different fields'}`;
}

const isPlain = (text: string): boolean => /^[a-z0-9]+$/.test(text);

/** Characters that the operand of the one filter has to hold, as a clause; undefined if a plain one shows it too, or if nobody knows. */
export async function ofOperand(steps: Steps, session: Session, attempt: Try): Promise<string | undefined> {
  const list = asking(steps);
  const [only, ...more] = list?.query.criteria ?? [];
  const { field = '', text = '' } = only ?? {};
  const letters = text.replace(/[^A-Za-z0-9]/gu, 'a');
  if (list === undefined || only === undefined || more.length > 0 || letters === text || !isPlain(letters))
    return undefined;
  const { family } = session.context;
  const held = [...new Set(live(session).map(({ fields }) => String(heldIn(family, fields, field) ?? '')))];
  // What a record holds and what none does.
  const [plain] = held.filter((each) => isPlain(each) && each.length >= text.length);
  if (plain === undefined) return undefined;
  const asked = (other: string) => list.put({ ...list.query, criteria: [{ ...only, text: other }] });
  for (const other of [plain, letters]) if (!(await isNeeded(steps, asked(other), attempt))) return undefined;
  const others = held.filter((each) => isForeign(each) && !each.includes(text));
  const isAny = isForeign(text) && others.length > 0;
  const [words] = valueWords(OPERAND, text);
  for (const other of isAny ? others : []) if (!(await attempt(asked(other))).isShown) return words;
  return isAny ? valueWords(OPERAND, text, BEYOND_ASCII)[0] : words;
}

const pagesIn = (exchanges: readonly Exchange[]): number =>
  pageNumber(exchanges.findLast(({ request }) => request.op === 'list')?.request.path ?? '');

/** The sequence without the size that cuts its last list into pages. */
export function withoutSize(steps: Steps): Steps {
  const list = asking(steps);
  if (list === undefined) return steps;
  const { size: _, ...query } = list.query;
  return list.put(query);
}

const listIn = (grounds: Grounds | undefined) =>
  grounds !== undefined && isOfList(grounds.observation) ? grounds.observation.shown : undefined;

/** Pages that are right before what is wrong with a list: a list of no more would be right. `isShown`: true if a list of pages of a size is wrong too. */
async function rightPages(
  { exchanges, difference, grounds }: Found,
  isShown: (size: number) => Promise<boolean>,
): Promise<number> {
  const { kind, page, times } = difference.about;
  // Where a record stands that no filter lets in says nothing of the pages before it.
  if (times === 1) return 1;
  if (page !== undefined) return page - 1;
  const { pages } = listIn(grounds) ?? {};
  if (kind === 'refused') {
    // What is refused for what is on it is so where it is the second page, too.
    const right = pagesIn(exchanges) - 1;
    return right > 1 && pages !== undefined && (await isShown(pages.flat().length)) ? 1 : right;
  }
  if (times !== 0 || pages === undefined) return 1;
  // A record is missing behind the last page that is full; if it is the last of all, it is the second page of another list.
  const full = pages.filter(({ length }) => length === pages[0]?.length).length;
  return full > 1 && (await isShown(pages.flat().length)) ? 1 : full;
}

/** True if the page that is refused lies behind the last one, which holds as many records as each before it. */
function isBehindLast({ grounds, difference }: Found): boolean {
  const { pages = [], total } = listIn(grounds) ?? {};
  const isFull = pages.every(({ length }) => length === pages[0]?.length);
  return difference.about.kind === 'refused' && isFull && pages.flat().length === total;
}

/** How many pages a list has to take for a difference to show, as a clause; undefined if it shows on one page, or if nobody knows. */
export async function ofPages(steps: Steps, shown: Found, attempt: Try): Promise<string | undefined> {
  const list = asking(steps);
  if (list === undefined || pagesIn(shown.exchanges) < 2) return undefined;
  const whole = list.put({ ...list.query, size: WHOLE_SIZE });
  if (!(await isNeeded(steps, whole, attempt, ({ exchanges }) => pagesIn(exchanges) === 1))) return undefined;
  if (isBehindLast(shown)) return 'the last page of the list is full';
  const isShown = async (size: number) => (await attempt(list.put({ ...list.query, size }))).isShown;
  const most = await rightPages(shown, isShown);
  return `the list takes more than ${most < 2 ? 'one page' : `${most} pages`}`;
}

const ENDPOINTS = JSON.stringify({ step: 'look', look: { window: 'endpoints' } });

/** The sequence with another endpoint for its first one, if no look names any. */
export function withFirst(steps: Steps): Steps {
  const anc = steps.flatMap((step) => (step.step === 'apply' || step.step === 'clear' ? [step] : []));
  const main = anc.findLast(({ step }) => step === 'apply')?.who[0] ?? 0;
  const isNamed = steps.some(
    (step) => !anc.includes(step as (typeof anc)[number]) && JSON.stringify(step) !== ENDPOINTS,
  );
  if (isNamed) return steps;
  const other = (number: number) => (number === main ? 0 : number === 0 ? main : number);
  return steps.map(
    (step) => ('who' in step && Array.isArray(step.who) ? { ...step, who: step.who.map(other) } : step) as Step,
  );
}

/** True if an endpoint has to have been cleared before: many sequences name one; one tells that none has named, twice by turns. */
export async function needsUsed(session: Session, steps: Steps, attempt: Try): Promise<boolean> {
  const first = withFirst(steps);
  for (const turn of [1, 2]) {
    const isFreshWrong = !takeFresh(session) || (await attempt(first)).isShown;
    session.anc.fresh = undefined;
    if (isFreshWrong || (turn === 1 && !(await attempt(first)).isShown)) return false;
  }
  return true;
}
