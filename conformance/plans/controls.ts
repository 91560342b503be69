import type { Exchange } from '../../lib/client/types.ts';
import { defined } from '../../lib/defined.ts';
import { pageNumber } from '../../lib/text.ts';
import { takeFresh } from '../driver/endpoints.ts';
import type { Ran } from '../driver/run.ts';
import { live, type Session } from '../driver/session.ts';
import { heldIn } from '../kit/list/value.ts';
import { valueWords } from '../kit/text-words.ts';
import { ANOTHER_FIELD, type Criterion, type Query, type Step } from '../steps/step.ts';
import type { Found } from './pairs/work.ts';
import { OPERAND } from './words.ts';

type Run = (steps: readonly Step[]) => Promise<Ran>;
type Shows = (ran: Ran) => boolean;

/** True if a sequence shows a difference, and one that lacks a part of it does not, by turns. `isSuch`: whether what was done lacked it. */
async function isNeeded(
  steps: readonly Step[],
  without: readonly Step[],
  run: Run,
  shows: Shows,
  isSuch: Shows = () => true,
): Promise<boolean> {
  for (const turn of [1, 2]) {
    const ran = await run(without);
    if (shows(ran) || ran.notDone.has(without.length - 1) || !isSuch(ran)) return false;
    if (turn === 1 && !shows(await run(steps))) return false;
  }
  return true;
}

/** The query of the list that a sequence ends with, and the sequence with other criteria in it. */
function asking(
  steps: readonly Step[],
): { readonly query: Query; readonly put: (criteria: readonly Criterion[]) => readonly Step[] } | undefined {
  const last = steps.at(-1);
  if (last?.step !== 'look' || last.look.window !== 'list') return undefined;
  const { look } = last;
  const put = (criteria: readonly Criterion[]) =>
    steps.with(-1, { ...last, look: { ...look, query: { ...look.query, criteria } } });
  return { query: look.query, put };
}

/** Whether the two filters of a list have to be on one field, or on several, as a clause; undefined if a difference shows on both, or if nobody knows. */
export async function ofFields(steps: readonly Step[], run: Run, shows: Shows): Promise<string | undefined> {
  const { query, put } = asking(steps) ?? {};
  const criteria = query?.criteria ?? [];
  // More of them are told by how many they are.
  if (put === undefined || criteria.length !== 2) return undefined;
  const isOne = new Set(criteria.map(({ field }) => field)).size === 1;
  const other = (field: string): Criterion => ({ field, operator: 'EQ', part: 'whole', isOpen: true });
  const named = criteria.filter(({ field, isOpen }) => isOpen !== true && field !== ANOTHER_FIELD);
  const lesser = isOne
    ? [criteria.with(-1, { field: ANOTHER_FIELD, operator: 'EQ', part: 'whole' })]
    : // The one that is chosen is chosen to go with the first.
      named.map((each) => [each, other(each.field)]);
  if (lesser.length === 0) return undefined;
  for (const some of lesser) if (!(await isNeeded(steps, put(some), run, shows))) return undefined;
  return `the filters are on ${isOne ? 'one field' : 'different fields'}`;
}

const isPlain = (text: string): boolean => /^[a-z0-9]+$/.test(text);
const isForeign = (text: string): boolean => /^\P{ASCII}+$/u.test(text.replace(/[a-z0-9]/g, ''));

/**
 * Which characters the operand of the one filter of a list has to hold, as a clause; undefined if a difference shows for a plain operand that is as
 * long, or if nobody knows.
 */
export async function ofOperand(
  steps: readonly Step[],
  session: Session,
  run: Run,
  shows: Shows,
): Promise<string | undefined> {
  const { query, put } = asking(steps) ?? {};
  const [only, ...more] = query?.criteria ?? [];
  const { field = '', text = '' } = only ?? {};
  const letters = text.replace(/[^A-Za-z0-9]/gu, 'a');
  if (only === undefined || more.length > 0 || letters === text || !isPlain(letters)) return undefined;
  const { family } = session.context;
  const held = [...new Set(live(session).map(({ fields }) => String(heldIn(family, fields, field) ?? '')))];
  // What a record holds and what none does.
  const [plain] = held.filter((each) => isPlain(each) && each.length >= text.length);
  if (plain === undefined) return undefined;
  const asked = (other: string) => put?.([{ ...only, text: other }]) ?? steps;
  for (const other of [plain, letters]) if (!(await isNeeded(steps, asked(other), run, shows))) return undefined;
  const others = held.filter((each) => isForeign(each) && !each.includes(text));
  const isAny = isForeign(text) && others.length > 0;
  for (const other of isAny ? others : []) if (!shows(await run(asked(other)))) return valueWords(OPERAND, text)[0];
  return isAny ? `${OPERAND} holds a character that is not ASCII` : valueWords(OPERAND, text)[0];
}

/** More records than most lists hold; who takes fewer on a page is asked for fewer. */
const WHOLE = 100;

/** Pages of the list that was asked for last. */
const pagesIn = (exchanges: readonly Exchange[]): number =>
  pageNumber(exchanges.findLast(({ request }) => request.op === 'list')?.request.path ?? '');

/** The sequence with pages of another size in its last list; undefined if it does not end with one. */
function sized(steps: readonly Step[], size: number | undefined): readonly Step[] | undefined {
  const last = steps.at(-1);
  if (last?.step !== 'look' || last.look.window !== 'list') return undefined;
  const { size: _, ...query } = last.look.query;
  return steps.with(-1, { ...last, look: { ...last.look, query: { ...query, ...defined({ size }) } } });
}

/** The sequence without the size that cuts its last list into pages. */
export const withoutSize = (steps: readonly Step[]): readonly Step[] => sized(steps, undefined) ?? steps;

/** Pages that are right before what is wrong with a list: a list of no more would be right. */
function rightPages({ exchanges, difference, grounds }: Shown): number {
  const { kind, page } = difference?.about ?? {};
  if (page !== undefined) return page - 1;
  if (kind === 'refused') return pagesIn(exchanges) - 1;
  const observation = grounds?.observation;
  if (kind !== 'records' || observation?.question.window !== 'list' || !('pages' in observation.shown)) return 1;
  // A record is missing behind the last page that is full.
  const [first, ...more] = observation.shown.pages;
  return 1 + more.filter(({ length }) => length === first?.length).length;
}

type Shown = Pick<Ran, 'exchanges' | 'difference' | 'grounds'>;

/** How many pages a list has to take for a difference to show, as a clause; undefined if it shows on one page, or if nobody knows. */
export async function ofPages(
  steps: readonly Step[],
  shown: Shown,
  run: (steps: readonly Step[]) => Promise<Ran>,
  shows: (ran: Ran) => boolean,
): Promise<string | undefined> {
  const whole = sized(steps, WHOLE);
  if (whole === undefined || pagesIn(shown.exchanges) < 2) return undefined;
  if (!(await isNeeded(steps, whole, run, shows, (ran) => pagesIn(ran.exchanges) === 1))) return undefined;
  const most = rightPages(shown);
  return `the list takes more than ${most < 2 ? 'one page' : `${most} pages`}`;
}

const ENDPOINTS = JSON.stringify({ step: 'look', look: { window: 'endpoints' } });

/** The sequence with another endpoint for its first one, if no look names any. */
export function withFirst(steps: readonly Step[]): readonly Step[] {
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
export async function needsUsed(
  session: Session,
  steps: readonly Step[],
  shows: (steps: readonly Step[]) => Promise<Found | undefined>,
): Promise<boolean> {
  const first = withFirst(steps);
  for (const turn of [1, 2]) {
    const isFreshWrong = !takeFresh(session) || (await shows(first)) !== undefined;
    session.anc.fresh = undefined;
    if (isFreshWrong || (turn === 1 && (await shows(first)) === undefined)) return false;
  }
  return true;
}
