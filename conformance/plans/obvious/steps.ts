import type { Family } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { isOfAnother } from '../../driver/elsewhere.ts';
import { openSession, SESSIONS } from '../../driver/open-session.ts';
import { isFound, type Ran, runSteps } from '../../driver/run.ts';
import { noLessons, type Session } from '../../driver/session.ts';
import type { CheckContext } from '../../kit/check.ts';
import { showsAtOnce } from '../../kit/delay.ts';
import { Blocked, memberOf, type Subject } from '../../kit/fault.ts';
import { nameFilter, nameMember, textMember } from '../../kit/fields.ts';
import { telling } from '../../kit/telling.ts';
import { clausesText } from '../../kit/text-words.ts';
import type { Difference } from '../../model/difference.ts';
import type { Fields, Form } from '../../model/history.ts';
import { type ListLook, type Name, PLAIN, type Query, type Step, type StepOf, type Steps } from '../../steps/step.ts';
import { trying } from '../controls.ts';
import { create, look, read, together, update } from '../make.ts';
import { plainlyTold } from '../narrowed.ts';
import { fail, ifTold, isOther, list, type Told } from './looks.ts';

/** Steps on records of their own, with what a check makes of the differences that they show. */
export interface StepPlan {
  readonly steps: Steps;
  readonly isAbout?: (told: Told) => boolean;
  readonly isOwn?: true;
  /** What is known to have to be so for a difference to show: other steps showed none. */
  readonly onlyIf?: string;
  /** What the check calls what it is about, if not as the oracle does. */
  readonly subject?: Subject;
}

export const LISTED: Step = look(list({ criteria: [], size: 100 }));

/** A look at the list for the name that the record has; none if no filter takes names. */
export function listedByName(family: Family): readonly ListLook[] {
  const field = nameFilter(family);
  const criteria = [{ field: field ?? '', operator: 'EQ', part: 'whole' }] as const;
  return field === undefined ? [] : [{ ...list({ criteria, size: 100 }), about: 'subject' }];
}

export const onView = (query: Omit<Query, 'paging'>): Step =>
  look({ ...list({ size: 100, ...query }), on: 'view', about: 'subject' });

/** An update of the text that the family has, or of its name if it has no other. */
export function change({ family }: CheckContext, who: string, text: string): StepOf<'update'> {
  const member = textMember(family);
  return member === undefined || member === nameMember(family)
    ? update(who, {}, { fresh: 'b' })
    : update(who, { [member]: text });
}

/** Does the work on a session that no other check uses meanwhile. */
export async function withSession<T>(context: CheckContext, work: (session: Session) => Promise<T>): Promise<T> {
  const sessions = await context.run.shared('records', async (scope) => {
    const free: Session[] = [];
    const lessons = noLessons(context.run);
    let turn: number = SESSIONS.plans;
    const open = () => openSession({ ...context, ...scope }, { isKnown: () => false, lessons, turn: turn++ });
    return { free, take: async () => free.pop() ?? open() };
  });
  const session = await sessions.take();
  try {
    return await work(session);
  } finally {
    sessions.free.push(session);
  }
}

/** Does the steps, and fails with the first difference; returns why a step was not done. The first plan that the target takes counts. */
export async function judgeSteps(context: CheckContext, plans: StepPlan | readonly StepPlan[]) {
  let why: string | undefined;
  for (const plan of [plans].flat()) {
    why = await withSession(context, (session) => judgeOn(session, context, plan));
    if (why === undefined) return undefined;
  }
  return why;
}

const runPlan = (session: Session, { steps, isAbout = () => true }: StepPlan): Promise<Ran> =>
  runSteps({ ...session, isKnown: isOther(isAbout) }, steps, { isBrittle: true });

/** How many comparisons the steps make that show no difference; none if they show one, or are not all taken. */
export const agreements = (context: CheckContext, plan: StepPlan): Promise<number> =>
  withSession(context, async (session) => {
    const { count } = session;
    const before = count.comparisons;
    const { difference, notDone } = await runPlan(session, plan);
    return difference === undefined && notDone.size === 0 ? count.comparisons - before : 0;
  });

/** True if the steps are all taken and show no difference. */
export async function isWhole(context: CheckContext, plan: StepPlan): Promise<boolean> {
  const compared = await agreements(context, plan);
  if (compared > 0) context.witness('compared', compared);
  return compared > 0;
}

/** As `judgeSteps` does. Throws `Blocked` if a step was not done. */
export async function mustTakeSteps(context: CheckContext, plans: StepPlan | readonly StepPlan[]): Promise<undefined> {
  const why = await judgeSteps(context, plans);
  if (why !== undefined) throw new Blocked(why);
}

/** The plainest of the steps that show a difference, with the clauses that tell it; undefined if nobody knows. */
async function toldOf(session: Session, { steps, subject }: StepPlan, { about }: Difference) {
  // Each of many tries would wait for what shows late.
  if (!showsAtOnce(session) && about.subject !== 'other records') return undefined;
  const isAlike = ({ about: other }: Difference) => other.kind === about.kind && other.subject === about.subject;
  const asking = { ...session, isKnown: (other: Difference) => !isAlike(other) };
  const attempt = trying((some) => runSteps(asking, some), isAlike);
  const named = { about: { ...about, ...defined({ subject, member: memberOf(about) }) } };
  return plainlyTold(asking, steps, named, attempt);
}

async function judgeOn(session: Session, context: CheckContext, plan: StepPlan): Promise<string | undefined> {
  const before = session.count.comparisons;
  const ran = await runPlan(session, plan);
  for (const exchange of telling(ran.exchanges, ran.difference?.about.page)) context.evidence.add(exchange);
  if (isFound(ran)) {
    const { difference } = ran;
    if (await isOfAnother(session, plan.steps, difference)) return `${difference.family} does the same by itself`;
    const isSaid = (difference.onlyIf ?? plan.onlyIf) !== undefined;
    const done = { ...plan, steps: plan.steps.slice(0, ran.begun) };
    const told = isSaid ? undefined : await ifTold(toldOf(session, done, difference));
    // What one request after the other shows is not about those at one time, nor what no write names about its values.
    const isInTurn = plan.subject === 'parallel requests' && told?.plain.every(({ step }) => step !== 'together');
    const isApart = isInTurn || difference.about.subject === 'other records';
    const { subject, isOwn } = isApart ? { ...plan, subject: undefined, isOwn: undefined } : plan;
    const onlyIf = plan.onlyIf ?? (told && clausesText(told.clauses));
    return fail(context, ran, { subject, isOwn, isNarrowed: true, onlyIf });
  }
  const [why] = ran.notDone.values();
  if (why === undefined) context.witness('compared', session.count.comparisons - before);
  return why;
}

const EVERYTHING = { ...PLAIN, mediaType: true, csrf: true, extra: true } as const;

const bothReads = (who: string, carried = PLAIN): Steps => [read(who, 'json', carried), read(who, 'xml', carried)];

/** Two records with a text; for updates too, one is renamed, then the other changed. All are read in both forms, the renamed one listed. */
export function textSteps(
  family: Family,
  isUpdated: boolean,
  [one, two]: readonly [Fields, Fields],
  form: Form,
): Steps {
  const listed = listedByName(family).map((each) => look(each));
  const updated = (...change: [Fields, Name?]): Steps =>
    isUpdated ? [{ ...update('subject', ...change), form }, ...bothReads('subject')] : [];
  return [
    { ...create('subject', one), form },
    ...bothReads('subject'),
    ...updated({}, { fresh: 'b' }),
    ...(isUpdated ? listed : []),
    { ...create('second', one), form, carried: EVERYTHING },
    ...bothReads('second'),
    // The one that was written to before, because some mistakes come with a second write.
    ...updated(two),
    together(...bothReads('second', EVERYTHING)),
  ];
}
