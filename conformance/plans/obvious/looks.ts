import { type Ran, runSteps } from '../../driver/run.ts';
import { hurried } from '../../driver/settle.ts';
import type { CheckContext } from '../../kit/check.ts';
import { type About, CheckFailure } from '../../kit/fault.ts';
import { clausesText } from '../../kit/text-words.ts';
import type { Difference } from '../../model/difference.ts';
import {
  type Carried,
  type Criterion,
  type Look,
  PLAIN,
  type Query,
  type Step,
  type StepOf,
} from '../../steps/step.ts';
import { clausesOf } from '../clauses.ts';
import { narrowed } from '../narrowed.ts';
import { isOfSeveralPages, pageIn, SEVERAL_PAGES } from '../one-page.ts';
import type { Population } from './population.ts';

/** What of a difference says whether a check is about it. */
export interface Told extends About {
  readonly requirement: string;
}

/** List looks with what a check makes of the differences that they show. */
export interface ListPlan {
  readonly looks: readonly Look[];
  /** True for a difference that the check is about; others are those of other checks. */
  readonly isAbout: (told: Told) => boolean;
  /** True if a difference breaks the requirement of the check, whichever the oracle names for it. */
  readonly isOwn?: true;
  /** True if what was written before may still have to show. */
  readonly isFirst?: true;
}

/** A look at the list of the family. */
export const list = (
  query: Omit<Query, 'paging'> & Partial<Pick<Query, 'paging'>>,
  more: Partial<Carried> = {},
): Extract<Look, { readonly window: 'list' }> => ({
  ...{ window: 'list', on: 'own', about: 'r0', query: { paging: 'link', ...query } },
  carried: { ...PLAIN, ...more },
});

/** A look for one criterion. */
export const filtered = (criterion: Criterion, more: Omit<Partial<Query>, 'criteria'> = {}): Look =>
  list({ criteria: [criterion], ...more });

/** Size of a page that holds the records of a plan and that the target is known to take. */
export function wholeSize({ run }: CheckContext): number {
  const largest = run.dialect('page.largest-size');
  return typeof largest === 'number' ? Math.min(100, largest) : 20;
}

/** Tells a difference that a check is not about. */
export const isOther =
  (isAbout: ListPlan['isAbout']) =>
  ({ requirement, about }: Difference): boolean =>
    !isAbout({ requirement, ...about });

/** What looks without a difference came to. */
export interface Looked {
  /** Looks that were answered with a list. */
  readonly done: number;
  /** Why the others were not. */
  readonly why: string | undefined;
  readonly shown: number;
  readonly absent: number;
}

/** Looks, and fails with the first difference that the check is about. One check at a time looks among the same records. */
export function judgeLooks(context: CheckContext, population: Population, plan: ListPlan): Promise<Looked> {
  return context.run.exclusive(`lists of ${context.family.name}`, () => lookAmong(context, population, plan));
}

/** The look with the very filters that it asked for last, so that each of them can be left out. */
function askedBy(step: StepOf<'look'>, { asked: { last } }: Population['session']): StepOf<'look'> {
  if (step.look.window !== 'list' || last === undefined) return step;
  const criteria = last.filters.map(({ field, operator, value }) => ({
    field,
    operator,
    part: 'whole' as const,
    text: value,
  }));
  return { ...step, look: { ...step.look, query: { ...step.look.query, criteria } } };
}

/** Exchanges that a failure names, at most, besides the page that shows it. */
const SHOWN = 8;

/** Runs of a look that each part of shrinking may take. */
const MOST_RUNS = 12;

/** What about the query of a list shows a difference, as a clause behind `only if`; undefined if it holds one thing only, or if nobody knows. */
async function onlyIfOf(
  [step]: readonly StepOf<'look'>[],
  difference: Difference,
  run: (steps: readonly Step[]) => Promise<Ran>,
  isAlike: (ran: Ran) => boolean,
): Promise<string | undefined> {
  if (step?.look.window !== 'list' || difference.about.kind === 'refused') return undefined;
  const { criteria, sort } = step.look.query;
  if (criteria.length + (sort === undefined ? 0 : 1) < 2) return undefined;
  const wordsOf = (some: readonly Step[]) => clausesOf(some, difference, []);
  const { plain } = await narrowed([step], async (some) => isAlike(await run(some)), wordsOf, { runs: MOST_RUNS });
  const shown = plain && (await run(plain));
  return plain && shown && isAlike(shown) ? clausesText(clausesOf(plain, difference, shown.exchanges)) : undefined;
}

async function lookAmong(
  context: CheckContext,
  { session, foreign }: Population,
  { looks, isAbout, isOwn, isFirst }: ListPlan,
): Promise<Looked> {
  const steps = looks.map((look) => ({ step: 'look' as const, look }));
  // That the records are listed is waited for by the first check of lists.
  const eventually = hurried(session);
  const asking = { ...session, isKnown: isOther(isAbout), ...(isFirst ? {} : { eventually }) };
  const ran = await runSteps(asking, steps, foreign, { keep: true });
  const { difference, exchanges, notDone, grounds, begun } = ran;
  if (difference !== undefined) {
    const { expected, observed, about, requirement } = difference;
    const page = exchanges.findLast((each) => pageIn(each) === about.page);
    for (const exchange of exchanges.filter((each, at) => each === page || at >= exchanges.length - SHOWN))
      context.evidence.add(exchange);
    if (grounds !== undefined) context.evidence.rest(grounds);
    const last = steps.slice(begun - 1, begun).map((step) => askedBy(step, session));
    const run = (some: readonly Step[]) => runSteps(asking, some, foreign, { keep: true });
    const isAlike = ({ difference: other }: Ran) =>
      other?.about.subject === about.subject && other.about.kind === about.kind;
    const isOfPages = await isOfSeveralPages(last, exchanges, run, isAlike);
    const find = () => (isOfPages ? SEVERAL_PAGES : onlyIfOf(last, difference, run, isAlike));
    const { onlyIf = await find() } = difference;
    throw new CheckFailure({ expected, observed, onlyIf, about, ...(isOwn ? {} : { requirement }) });
  }
  context.evidence.refer(exchanges);
  return { done: begun - notDone.size, why: [...notDone.values()][0], ...session.told };
}

/** The whole list, on few pages. */
export const wholeList = (context: CheckContext): Look => list({ criteria: [], size: wholeSize(context) });
