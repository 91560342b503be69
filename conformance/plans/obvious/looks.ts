import { defined } from '../../../lib/defined.ts';
import { hurried } from '../../driver/patience.ts';
import { type Found, isFound, runSteps } from '../../driver/run.ts';
import type { Session } from '../../driver/session.ts';
import type { CheckContext } from '../../kit/check.ts';
import type { Subject } from '../../kit/fault.ts';
import { type About, CheckFailure, memberOf } from '../../kit/fault.ts';
import { telling } from '../../kit/telling.ts';
import { clausesText } from '../../kit/text-words.ts';
import type { Difference } from '../../model/difference.ts';
import {
  type Carried,
  type Criterion,
  type ListLook,
  PLAIN,
  type Query,
  type Step,
  type Steps,
} from '../../steps/step.ts';
import { ofFields, ofOperand, ofPages, trying } from '../controls.ts';
import { plainlyTold } from '../narrowed.ts';
import type { Population } from './population.ts';

/** What of a difference says whether a check is about it. */
export interface Told extends About {
  readonly requirement: string;
  readonly family: string;
}

/** List looks with what a check makes of the differences that they show. */
export interface ListPlan {
  readonly looks: readonly ListLook[];
  /** True for a difference that the check is about; others are those of other checks. */
  readonly isAbout: (told: Told) => boolean;
  /** True if a difference breaks the requirement of the check, whichever the oracle names for it. */
  readonly isOwn?: true;
  /** True if what was written before may still have to show. */
  readonly isFirst?: true;
}

export const list = (
  query: Omit<Query, 'paging'> & Partial<Pick<Query, 'paging'>>,
  more: Partial<Carried> = {},
): ListLook => ({
  ...{ window: 'list', on: 'own', about: 'r0', query: { paging: 'link', ...query } },
  carried: { ...PLAIN, ...more },
});

export const filtered = (criterion: Criterion, more: Omit<Partial<Query>, 'criteria'> = {}): ListLook =>
  list({ criteria: [criterion], ...more });

/** Size of a page that holds the records of a plan and that the target is known to take. */
export function wholeSize({ run }: CheckContext): number {
  const largest = run.dialect('page.largest-size');
  return typeof largest === 'number' ? Math.min(100, largest) : 20;
}

/** Tells a difference that a check is not about. */
export const isOther =
  (isAbout: ListPlan['isAbout']) =>
  ({ requirement, family, about }: Difference): boolean =>
    !isAbout({ requirement, family, ...about });

/** The look with the very filters that it asked for last, so that each of them can be left out. */
function asAsked(look: ListLook, { asked: { last } }: Population['session']): Step {
  const criteria = (last?.filters ?? []).map(({ value: text, ...on }) => ({ ...on, part: 'whole' as const, text }));
  return { step: 'look', look: { ...look, query: { ...look.query, criteria } } };
}

/** What about a list shows a difference, as a clause behind `only if`; undefined if its query holds one thing only, or if nobody knows. */
async function onlyIfOf(steps: Steps, found: Found, session: Session): Promise<string | undefined> {
  const { difference } = found;
  const { kind, subject } = difference.about;
  const attempt = trying(
    (some) => runSteps(session, some, { keep: true }),
    ({ about }) => about.subject === subject && about.kind === kind,
  );
  const ofWhole = await ofPages(steps, found, attempt);
  if (ofWhole !== undefined || kind === 'refused') return ofWhole;
  if (subject.startsWith('filter ')) return ofOperand(steps, session, attempt);
  if (!/^(filters|sort) /.test(subject)) return undefined;
  const told = await plainlyTold(session, steps, difference, attempt);
  return told && clausesText([told.clauses, (await ofFields(told.plain, session, attempt)) ?? []].flat());
}

type Telling = { readonly subject?: Subject | undefined; readonly onlyIf?: string | undefined } & Readonly<
  Partial<Record<'isOwn' | 'isNarrowed', true | undefined>>
>;

/** What is tried for the condition of a failure; undefined if that fails: the failure stands, whatever comes of it. */
export const ifTold = <Told>(tried: Promise<Told>): Promise<Told | undefined> => tried.catch(() => undefined);

/** Fails with a difference and its grounds. `subject`: the check's name for it; `onlyIf`: the condition, if the oracle has none. */
export function fail({ evidence }: CheckContext, { difference, exchanges, grounds }: Found, told: Telling): never {
  const { expected, observed, about, requirement, onlyIf = told.onlyIf } = difference;
  const { isOwn, subject, isNarrowed } = told;
  for (const each of telling(exchanges, about.page)) evidence.add(each);
  if (grounds !== undefined) evidence.rest(grounds);
  throw new CheckFailure({
    ...{ expected, observed, onlyIf, ...defined({ isNarrowed }) },
    about: subject === undefined ? about : { ...about, subject, ...defined({ member: memberOf(about) }) },
    ...(isOwn ? {} : { requirement }),
  });
}

/** Looks, and fails with the first difference that the check is about. One check at a time looks among the same records. */
export function judgeLooks(
  context: CheckContext,
  { session }: Population,
  { looks, isAbout, isOwn, isFirst }: ListPlan,
) {
  return context.run.exclusive(`lists of ${context.family.name}`, async () => {
    const steps = looks.map((look) => ({ step: 'look' as const, look }));
    // That the records are listed is waited for by the first check of lists.
    const eventually = isFirst ? session.eventually : hurried(session);
    const asking = { ...session, isKnown: isOther(isAbout), eventually };
    const ran = await runSteps(asking, steps, { keep: true });
    const { exchanges, notDone, begun } = ran;
    if (isFound(ran)) {
      const last = looks.slice(begun - 1, begun).map((look) => asAsked(look, session));
      const onlyIf = ran.difference.onlyIf ?? (await ifTold(onlyIfOf(last, ran, asking)));
      return fail(context, ran, { isOwn, onlyIf });
    }
    context.evidence.refer(exchanges);
    const isAsked = exchanges.length > 0;
    return { done: begun - notDone.size, why: [...notDone.values()][0], isAsked, ...session.told };
  });
}

/** The whole list, on few pages. */
export const wholeList = (context: CheckContext): ListLook => list({ criteria: [], size: wholeSize(context) });
