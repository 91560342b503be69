import { memberOf } from '../kit/fault.ts';
import { isServerFault } from '../kit/record/record-reads.ts';
import type { Difference } from '../model/difference.ts';
import { type Book, type Known, keyOf } from '../model/history.ts';
import { judge } from '../model/judge.ts';
import type { ListFacts } from '../model/list.ts';
import { decided } from '../model/membership.ts';
import { isOfList, type Observation } from '../model/observation.ts';
import { PLAIN } from '../steps/step.ts';
import { type Asked, askRead } from './ask.ts';
import { learnOther, learnTheirs } from './learn-others.ts';
import { isMoved, isOfNamesake, isTorn, noticeOthers, showsPages, withNames } from './others.ts';
import { aFewTimes, isAtOnce, isWrittenBeside, patient, unsureMs } from './patience.ts';
import { factsOf, knowsOthersOnly, offers, type Session } from './session.ts';
import { tallyLook } from './tally.ts';

/** Looks this often again after a wrong answer became right: without a write in between, it has to stay right. */
const LOOKS_AGAIN = 3;

/** Times that records of others are learned anew before a difference in them counts as their work. */
const RELEARNED = 3;
/** Records that somebody else may have made under names of the run before a difference in them counts. */
const NAMESAKES = 20;

/** True if a difference can be the work of somebody who added or removed a record between two pages. `isSteady`: each look shows the same. */
async function isExcused(
  session: Session,
  looks: readonly Shown['seen'][],
  isBeside: boolean,
  isSteady: boolean,
  difference?: Difference,
) {
  // A record that comes or goes moves others between two pages: it puts none out of order, nor changes what an entry shows.
  if (difference?.about.kind === 'value') return false;
  // Nor does it let in one that the filters leave out: shown once, a record is wrong for that alone.
  if (difference?.about.times === 1) return false;
  // Nor does it bring one back that is gone.
  if (difference?.record !== undefined && session.book.get(difference.record)?.isLive === false) return false;
  // What the look itself wrote may have moved one record, but loses none.
  const isOwn = difference?.isLost !== true && looks.some(({ mayLack }) => mayLack !== undefined);
  return isTorn(session, looks, isBeside || isOwn) || (!isSteady && isMoved(session, looks));
}

export interface Shown {
  readonly difference: Difference;
  readonly seen: Observation & Asked;
}

/** True if the target failed at a request, which no late write explains. A later page may be gone because the list is shorter now. */
const isFailure = ({ shown }: Observation): boolean =>
  isServerFault(shown) && !('pages' in shown && shown.pages.length > 0);

/** True if no late write explains a list: writes show at once, the last one to the record is no new one, and one page or `isLost` shows it. */
function isTimeless(session: Session, { difference: { record = '', isLost }, seen }: Shown): boolean {
  const known = session.book.get(record);
  if (known === undefined || known.last.kind === 'learn' || !isAtOnce(session)) return false;
  const endedMs = session.endedMs.get(known.last) ?? Number.NEGATIVE_INFINITY;
  if (performance.now() - endedMs < unsureMs(session)) return false;
  // How soon a view shows a write, nobody has asked.
  if (!showsPages(seen) || seen.question.family !== known.family) return false;
  const { end, pages } = seen.shown;
  return end === 'whole' && !session.touched.has(record) && (pages.length === 1 || isLost === true);
}

/** The one rule for late writes: looks until all is right, for the window at most. What comes back without a write stays a difference. */
export async function settled(session: Session, look: () => Promise<Shown['seen']>): Promise<Shown | undefined> {
  session.count.comparisons += 1;
  let found = await watched(session, look);
  const times = new Map<string, number>();
  // Others may write to records that are not the run's own: these are learned anew, until they stay as they were.
  for (let tries = 1; found !== undefined; tries += 1) {
    const isTheirs = knowsOthersOnly(session);
    const { holder = '', record = holder } = found.difference;
    const known = session.book.get(record);
    if (known === undefined && tries <= NAMESAKES && (await isOfNamesake(session, found.difference, found.seen))) {
      found = await watched(session, look);
      continue;
    }
    // One record after the other may have changed since the session began; one that changes with each look is wrong.
    const key = isTheirs ? 'all' : record;
    const learned = times.get(key) ?? 0;
    if (!isTheirs && (known?.last.kind !== 'learn' || learned === RELEARNED)) return found;
    if (!(await (isTheirs ? learnTheirs(session) : learnOther(session, known as Known)))) return found;
    times.set(key, learned + 1);
    if (isTheirs && times.get(key) === RELEARNED) return undefined;
    found = await watched(session, look);
  }
  return undefined;
}

/** True if a read of the record that a list shows wrong shows a difference that is known already: there is nothing to wait for. */
async function isExplained(session: Session, { difference: { record = '' }, seen }: Shown): Promise<boolean> {
  const known = session.book.get(record);
  if (known?.isLive !== true || !showsPages(seen)) return false;
  if (!session.touched.has(record) || !offers(session, 'read', known.family)) return false;
  const question = { window: 'read', family: known.family, id: known.id, form: 'json' } as const;
  const difference = judge(session.book, await askRead(session, question, PLAIN), factsOf(session));
  return difference !== undefined && session.isKnown(difference);
}

/** What a look shows that is not allowed, beside members that are known to be wrong: these hide no other one of the same record. */
function judgeBeside({ book, isKnown }: Session, seen: Observation, facts: ListFacts): Difference | undefined {
  let left: Book = book;
  for (;;) {
    const difference = judge(left, seen, facts);
    const member = difference && memberOf(difference.about);
    const known = left.get(difference?.holder ?? '');
    if (difference === undefined || member === undefined || known === undefined) return difference;
    if (!isKnown(difference) || !(member in known.fields)) return difference;
    const { [member]: _, ...fields } = known.fields;
    left = new Map(left).set(keyOf(known.family, known.id), { ...known, fields });
  }
}

/** True if a write of the run to what a look shows was still on its way then, or done for less time than writes take to show. */
function mayStillShow(session: Session, { question: { family } }: Observation, begunMs: number): boolean {
  return !isAtOnce(session) && session.context.ledger.movedMs(family) > begunMs - unsureMs(session);
}

async function watched(session: Session, look: () => Promise<Shown['seen']>): Promise<Shown | undefined> {
  const looks: Shown['seen'][] = [];
  const faults = new Set<string | undefined>();
  let isBeside = false;
  const excuses = (met?: Difference) => isExcused(session, looks, isBeside, faults.size === 1, met);
  const once = async (): Promise<Shown | undefined> => {
    // A write beside the look may change the list between two of its pages.
    isBeside ||= session.count.writing > 0;
    const seen = await withNames(session, await look());
    looks.push(seen);
    if (showsPages(seen)) noticeOthers(session, seen);
    const facts = { ...factsOf(session), mayLack: seen.mayLack };
    const difference = judgeBeside(session, seen, facts);
    const told = isOfList(seen) ? decided(session.book, seen.question, seen.shown, facts) : undefined;
    if (looks.length === 1) tallyLook(session.count.tally, seen, told);
    faults.add(difference && `${difference.record} ${difference.about.times}`);
    if (difference === undefined && told !== undefined) {
      session.told.shown += told.shown;
      session.told.absent += told.absent;
      session.told.parted += Number(told.isParted);
    }
    return difference && { difference, seen };
  };
  let found = await once();
  // What is known already need not be waited for.
  if (found === undefined || session.isKnown(found.difference)) return undefined;
  if (isFailure(found.seen) || found.difference.isTimeless) return found;
  if (await isExplained(session, found)) return undefined;
  if (isTimeless(session, found)) return (await excuses(found.difference)) ? undefined : found;
  const { count } = session;
  const { record = '' } = found.difference;
  const last = session.book.get(record)?.last;
  const isWaitedOut = last !== undefined && session.waited.get(record) === last;
  const eventually = isWaitedOut ? aFewTimes : patient(session);
  const sinceMs = performance.now();
  let isRight: true | undefined;
  let isWriting: boolean;
  do {
    // What a write beside the look does may show until it has ended.
    isWriting = isWrittenBeside(session);
    isRight = await eventually(async () => {
      found = await once();
      return found === undefined ? true : undefined;
    });
  } while (isRight !== true && isWriting);
  if (isRight === true) count.helpedMs = Math.max(count.helpedMs, performance.now() - sinceMs);
  else if (eventually === session.context.eventually) {
    count.inVain += 1;
    if (last !== undefined) session.waited.set(record, last);
  }
  if (isRight !== true) return (await excuses(found?.difference)) ? undefined : found;
  const written = () => session.history.length + session.anc.history.length;
  const before = written();
  for (let again = 0; again < LOOKS_AGAIN; again += 1) {
    const begunMs = performance.now();
    const back = await once();
    if (back === undefined) continue;
    // A write beside the looks that has ended since, or just before in another session, may show late, too.
    if (written() > before || mayStillShow(session, back.seen, begunMs)) return watched(session, look);
    // A write beside the looks may have come between two of them.
    if (isBeside && back.difference.about.kind === 'value') return undefined;
    if (await excuses(back.difference)) return undefined;
    const about = { ...back.difference.about, unsteady: 'by turns' } as const;
    return { ...back, difference: { ...back.difference, about } };
  }
  return undefined;
}
