import { AT_ONCE_MS, delayMs, showsAtOnce } from '../kit/delay.ts';
import { isServerFault } from '../kit/record/unreadable.ts';
import { type Difference, differenceKey } from '../model/difference.ts';
import type { Write } from '../model/history.ts';
import { judge } from '../model/judge.ts';
import type { ListFacts } from '../model/list.ts';
import { decided } from '../model/membership.ts';
import type { ListObservation, Observation } from '../model/observation.ts';
import { PLAIN } from '../steps/step.ts';
import { type Asked, askRead } from './ask.ts';
import { isOfList, isTorn, noticeOthers } from './others.ts';
import { factsOf, isOnlyRead, offers, type Session } from './session.ts';
import { tallyLook } from './tally.ts';
import { learnOther, learnTheirs } from './theirs.ts';

/** Looks this often again after a wrong answer became right: without a write in between, it has to stay right. */
const LOOKS_AGAIN = 3;

/** Whole windows that a session waits in vain, before it waits only a few times as long as a wait that helped. */
const MOST_IN_VAIN = 3;
const TIMES_AS_LONG = 3;

/** Stands for a write of the sequence that is on its way, among the numbers of those that are done. */
const BESIDE = -1;

/** Times that records of others are learned anew before a difference in them counts as their work. */
const RELEARNED = 3;

/** True if a difference can be the work of somebody who added or removed a record between two pages. */
function isExcused(
  session: Session,
  looks: readonly Observation[],
  writes: ReadonlySet<number>,
  difference?: Difference,
): boolean {
  // A record that comes or goes moves others between two pages: it puts none out of order, nor changes what an entry shows.
  if (difference?.about.kind === 'value') return false;
  // Nor does it bring one back that is gone.
  if (difference?.record !== undefined && session.book.get(difference.record)?.isLive === false) return false;
  return isTorn(session, looks, writes);
}

/** Looks a few times and waits for nothing. */
const aFewTimes: Session['eventually'] = async (look) => (await look()) ?? (await look()) ?? (await look());

/** Looks a few times and no longer, if the target shows each write at once: shrinking takes many looks. */
export function hurried(session: Session, eventually: Session['eventually']): Session['eventually'] {
  return showsAtOnce(session) ? aFewTimes : eventually;
}

/** Milliseconds that a look waits, if waiting longer has not helped before: more than the target takes to show a write. */
const BRIEF_MS = 300;
const briefMs = (session: Session): number => Math.max(BRIEF_MS, 1.5 * (delayMs(session) ?? 0));

/** Waits no longer than some milliseconds. */
function atMost(eventually: Session['eventually'], ms: number): Session['eventually'] {
  return async (look) => {
    const until = performance.now() + ms;
    const seen = await eventually(async () => {
      const value = await look();
      return value !== undefined || performance.now() > until ? { value } : undefined;
    });
    return seen?.value;
  };
}

/** Waits briefly: the difference was waited for once, and what is left of it is tried again at the end. */
export const brief = (session: Session, eventually: Session['eventually']): Session['eventually'] =>
  showsAtOnce(session) ? aFewTimes : atMost(eventually, briefMs(session));

/** How long a difference is waited for: a whole window, until a few of these were in vain. */
function patient(session: Session): Session['eventually'] {
  const { count, eventually } = session;
  if (count.inVain < MOST_IN_VAIN) return eventually;
  // Where the run wrote nothing, no write of its own shows late.
  if (count.helpedMs <= AT_ONCE_MS && (knowsOthersOnly(session) || showsAtOnce(session))) return aFewTimes;
  return atMost(eventually, Math.max(briefMs(session), TIMES_AS_LONG * count.helpedMs));
}

/** The last write of each record for which a whole window was waited in vain, by the book of the session: no later look waits for it again. */
const waitedOut = new WeakMap<Session['book'], Map<string, Write>>();

/** The map of a session. */
function waitsOf({ book }: Session): Map<string, Write> {
  const waits = waitedOut.get(book) ?? new Map<string, Write>();
  waitedOut.set(book, waits);
  return waits;
}

/** True if all that the session knows are records of others, which these may change at any time. */
const knowsOthersOnly = ({ history, context }: Session): boolean =>
  (isOnlyRead(context.family) || history.length > 0) && history.every(({ kind }) => kind === 'learn');

/** Counts what a right list shows and leaves out. */
function count({ book, told }: Session, { question, shown }: ListObservation, facts: ListFacts): void {
  const { shows, lacks } = decided(book, question, shown, facts);
  told.shown += shows;
  told.absent += lacks;
}

/** A difference, and the look that showed it. */
export interface Shown {
  readonly difference: Difference;
  readonly seen: Observation & Asked;
}

/**
 * True if the target failed at a request: nothing that is written late, and nobody who writes, is a reason for that. A later page may be
 * gone because the list has become shorter.
 */
const isFailure = ({ shown }: Observation): boolean =>
  isServerFault(shown) && !('pages' in shown && shown.pages.length > 0);

/**
 * True if no late write can explain a list: its record was written to before this sequence began, the target shows each write at once in
 * lists of the family, and the list was read on one page, or lacks the record although no write meanwhile is a reason to. Records of others
 * may change at any time.
 */
function isTimeless(session: Session, { difference: { record, isLost }, seen }: Shown): boolean {
  const { touched, book } = session;
  const known = record === undefined ? undefined : book.get(record);
  if (record === undefined || known === undefined || known.last.kind === 'learn' || !showsAtOnce(session)) return false;
  // How soon a view shows a write, nobody has asked.
  if (!isOfList(seen) || seen.question.family !== known.family) return false;
  if (seen.shown.end !== 'whole' || touched.has(record)) return false;
  const { pages } = seen.shown;
  return pages.length === 1 || isLost === true;
}

/**
 * The one rule for writes that show late: looks until there is no difference, at most for the visibility window. A difference that
 * goes and comes back without a write in between stays one, unless others wrote.
 */
export async function settled(session: Session, look: () => Promise<Shown['seen']>): Promise<Shown | undefined> {
  session.count.comparisons += 1;
  let found = await watched(session, look);
  const other = () => {
    const known = session.book.get(found?.difference.record ?? '');
    return known?.last.kind === 'learn' && !knowsOthersOnly(session) ? known : undefined;
  };
  for (let known = other(), tries = 0; known !== undefined && tries < RELEARNED; known = other(), tries += 1) {
    if (!(await learnOther(session, known))) return found;
    found = await watched(session, look);
  }
  // Others may write to records that are not the run's own: what is known of these is learned anew, until it stays as it was.
  for (let tries = 0; tries < RELEARNED && found !== undefined && knowsOthersOnly(session); tries += 1) {
    if (!(await learnTheirs(session))) return found;
    found = tries === RELEARNED - 1 ? undefined : await watched(session, look);
  }
  return found;
}

/** True if a read of the record that a list shows wrong shows a difference that is known already: there is nothing to wait for. */
async function isExplained(session: Session, { difference: { record = '' }, seen }: Shown): Promise<boolean> {
  const known = session.book.get(record);
  if (
    known?.isLive !== true ||
    !isOfList(seen) ||
    !session.touched.has(record) ||
    !offers(session, 'read', known.family)
  )
    return false;
  const question = { window: 'read', family: known.family, id: known.id, form: 'json' } as const;
  const difference = judge(session.book, await askRead(session, question, PLAIN), factsOf(session));
  return difference !== undefined && session.isKnown(differenceKey(difference));
}

async function watched(session: Session, look: () => Promise<Shown['seen']>): Promise<Shown | undefined> {
  const looks: Observation[] = [];
  const writes = new Set<number>();
  const once = async (): Promise<Shown | undefined> => {
    // A write beside the look may change the list between two of its pages.
    if (session.count.writing > 0) writes.add(BESIDE);
    const seen = await look();
    looks.push(seen);
    if (isOfList(seen)) noticeOthers(session, seen);
    // The run's other sessions write at the same time.
    writes.add(session.context.ledger.writes(seen.question.family));
    const facts = { ...factsOf(session), mayLack: seen.mayLack };
    const difference = judge(session.book, seen, facts);
    if (looks.length === 1) tallyLook(session.count.tally, seen);
    if (difference === undefined && seen.question.window === 'list') count(session, seen as ListObservation, facts);
    return difference && { difference, seen };
  };
  let found = await once();
  // What is known already need not be waited for.
  if (found === undefined || session.isKnown(differenceKey(found.difference))) return undefined;
  if (isFailure(found.seen) || found.difference.isTimeless) return found;
  if (await isExplained(session, found)) return undefined;
  if (isTimeless(session, found)) return isExcused(session, looks, writes, found.difference) ? undefined : found;
  const { count: counts } = session;
  const { record = '' } = found.difference;
  const last = session.book.get(record)?.last;
  const isWaitedOut = last !== undefined && waitsOf(session).get(record) === last;
  const eventually = isWaitedOut ? aFewTimes : patient(session);
  const sinceMs = performance.now();
  const isRight = await eventually(async () => {
    found = await once();
    return found === undefined ? true : undefined;
  });
  if (isRight === true) counts.helpedMs = Math.max(counts.helpedMs, performance.now() - sinceMs);
  else if (eventually === session.context.eventually) {
    counts.inVain += 1;
    if (last !== undefined) waitsOf(session).set(record, last);
  }
  if (isRight !== true) return isExcused(session, looks, writes, found?.difference) ? undefined : found;
  for (let again = 0; again < LOOKS_AGAIN; again += 1) {
    const back = await once();
    if (back === undefined) continue;
    // A write beside the looks may have come between two of them.
    if (writes.has(BESIDE) && back.difference.about.kind === 'value') return undefined;
    return isExcused(session, looks, writes, back.difference)
      ? undefined
      : {
          ...back,
          difference: {
            ...back.difference,
            observed: `${back.difference.observed}, in some answers and not in others`,
          },
        };
  }
  return undefined;
}
