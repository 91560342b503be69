import type { Exchange } from '../../lib/client/types.ts';
import { type Family, hasOp, type Op } from '../../lib/contract/types.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import { isNotFound } from '../../lib/wire/answer.ts';
import type { CheckContext, RunFacts, SharedScope } from '../kit/check.ts';
import { nameMember, viewOf } from '../kit/fields.ts';
import type { CaseRule } from '../kit/list/value.ts';
import { isOfOthers } from '../kit/record/finder.ts';
import type { AncWrite, Holding } from '../model/anc.ts';
import type { Difference } from '../model/difference.ts';
import { afterWrite, type Fields, type Known, keyOf, type Write } from '../model/history.ts';
import { isNamedBy } from '../model/judge.ts';
import type { ListFacts } from '../model/list.ts';
import type { ListQuestion } from '../model/observation.ts';
import type { Steps } from '../steps/step.ts';
import { isDeadLink } from './links.ts';
import type { Tally } from './tally.ts';

/** A deployment did not do what the oracle says: ends a sequence. */
export class DifferenceFound extends Error {
  readonly difference: Difference;
  readonly grounds: Grounds | undefined;
  readonly exchanges: readonly Exchange[];
  constructor(difference: Difference, grounds?: Grounds, exchanges: readonly Exchange[] = []) {
    super(`${difference.requirement}: expected ${difference.expected}; observed ${difference.observed}`);
    this.difference = difference;
    this.grounds = grounds;
    this.exchanges = exchanges;
  }
}

/** True for a request that was refused because its record is not there. */
export const isOfGone = (fault: unknown): boolean =>
  fault instanceof DifferenceFound && fault.difference.about.kind === 'refused' && fault.exchanges.some(isNotFound);

/** A step of a row was refused by right, or could not be sent: the row goes on without it. */
export class NotDone extends Error {}

/** What a session knows of its target and of what it did: nothing at first. */
export const nothingKnown = () => ({
  history: [] as Write[],
  book: new Map<string, Known>(),
  /** Key of the record that a label stands for, in the sequence at work. */
  labels: new Map<string, string>(),
  /** Keys of records that stay for all sequences, by their labels. */
  kept: new Map<string, string>(),
  /** Keys of the records that the sequence at work wrote to. */
  touched: new Set<string>(),
  /** Keys of records that a look has read since the run made them. */
  looked: new Set<string>(),
  /** Known records that lists showed by right, those that they left out by right, and those of either kind about which filters of one list differ, in the sequence at work. */
  told: { shown: 0, absent: 0, parted: 0 },
  others: {
    /** How many there were when the session was opened, about. */
    count: 0,
    /** As the last list of everything in the family showed them. */
    shown: undefined as ReadonlySet<string> | undefined,
    /** Shown before, and not since. */
    gone: new Set<string>(),
    /** True if a list showed one that none before it did. */
    isGrowing: false,
    /** There when the session was opened; no list lacked them so far. */
    there: new Set<string>(),
    /** Names that reads showed of those that came since, if lists show none. */
    names: new Map<string, unknown>(),
    /** There before the sequence at work, whatever they are named: no write of it made them. */
    passed: new Set<string>(),
  },
  /** The last write of each record for which a whole window was waited in vain: no later look waits for it again. */
  waited: new Map<string, Write>(),
  /** When writes ended, by the monotonic clock. */
  endedMs: new WeakMap<Write, number>(),
  ...{ asked: { last: undefined as ListQuestion | undefined }, sent: [] as Exchange[] },
  anc: {
    history: [] as AncWrite[],
    holdings: new Map<string, Holding>(),
    /** Records that others had before: they are never read. */
    others: new Set<string>(),
    read: new Map<string, Fields>(),
    /** Records whose endpoint was cleared: a list may show them for a while. */
    cleared: new Set<string>(),
    /** True if the target gives an endpoint the id again that it had before. */
    reusesIds: false,
    /** Addresses that were written to since the last look. */
    touched: new Set<string>(),
    /** True if a look has shown what the writes do not explain: then what is there has to be looked up. */
    isOff: false,
    /** Sequences so far: each begins with another endpoint. */
    turn: 0,
    /** Place in the pool of the first endpoint of a sequence, if no request is to have named it before. */
    fresh: undefined as number | undefined,
    /** True if endpoints cannot be brought back to what sequences begin with. */
    isStuck: false,
  },
});

export const noCounts = () => ({
  ...{ comparisons: 0, largestPage: 0, broken: 0 },
  tally: new Map() as Tally,
  /** Creates whose record is not known yet. */
  flying: 0,
  /** Writes on their way beside looks. */
  writing: 0,
  /** Waits that mended no difference, and the longest, in milliseconds, that mended one. */
  inVain: 0,
  helpedMs: 0,
});

/** What a run learns of its target, for all sequences of a family. */
export const noLessons = ({ taken }: Pick<RunFacts, 'taken'>) => ({
  taken,
  /** Optional parts that the target refused for a reason that the specification leaves open. */
  undecided: new Set<string>(),
  /** Members that a read showed as off or zero: the target leaves out nothing of that. */
  shownOff: new Set<string>(),
  /** By family, whether links of a form lead to their records. */
  links: new Map<string, Map<string, boolean>>(),
  /** What each session on the family knows of its records. */
  books: new Set<ReadonlyMap<string, Known>>(),
  /** Plain sequences that show a difference, with the clauses that tell them, by what it is about. */
  told: new Map<string, { readonly plain: Steps; readonly clauses: readonly string[] }[]>(),
});

export interface Session extends Readonly<ReturnType<typeof nothingKnown>> {
  readonly context: CheckContext & Pick<SharedScope, 'send' | 'follow' | 'payload'>;
  readonly lessons: ReturnType<typeof noLessons>;
  readonly count: ReturnType<typeof noCounts>;
  readonly serial: () => string;
  /** True for a difference that was found before, or that a baseline expects. */
  readonly isKnown: (difference: Difference) => boolean;
  /** What all names that the session gives begin with, and no other. */
  readonly own: string;
  /** True for the looks of a write that others run beside: these do not wait until it has ended. */
  readonly isWriter?: true;
  /** Waits for what a write takes to show, as long as it may take; shorter while a difference is shrunk. */
  eventually: CheckContext['eventually'];
}

/** The facts that the oracle may use on this target. */
export function factsOf(session: Session): ListFacts {
  const { context, history, count, own, others, anc, sent } = session;
  const rules: Readonly<Record<string, CaseRule>> = { ignored: 'insensitive', 'told apart': 'sensitive' };
  const isNamed = isNamedBy({ member: nameMember(context.family) ?? 'name', prefix: own });
  const isNamesake = (of: string) =>
    context.ledger.leftAlone().some((each) => each.id === of && each.kind === 'namesake');
  const isOther = ({ id }: { readonly id: string }) => others.passed.has(id) || isNamesake(id);
  const { status = 404 } = sent.findLast(({ request }) => request.method !== 'GET') ?? {};
  // What is gone after a refusal, or before a sequence wrote, no delete before it need have taken away.
  const mayBe = ({ family, id }: Write) => status < 400 || session.book.get(keyOf(family, id))?.isLive !== false;
  const latest = history.findLast((write) => write.kind !== 'learn' && mayBe(write));
  return {
    ...{ table: context.table, holdings: anc.holdings, named: anc.touched, applies: anc.history },
    ...{ writes: history, caseRule: rules[String(context.run.dialect('text.case'))] },
    largestPage: count.largestPage || undefined,
    isOurs: count.flying > 0 ? undefined : (entry) => isNamed(entry) && !isOther(entry),
    shownOff: [...session.lessons.shownOff],
    isDead: (family, link) => isDeadLink(session, family, link),
    latest: latest && keyOf(latest.family, latest.id),
  };
}

export function note({ history, book, context, touched, looked, endedMs }: Session, write: Write): void {
  const family = context.table[write.family];
  if (family === undefined) return;
  history.push(write);
  endedMs.set(write, performance.now());
  const key = keyOf(write.family, write.id);
  touched.add(key);
  if (write.kind === 'create') looked.delete(key);
  const known = afterWrite(book.get(key), write, family);
  if (known !== undefined) book.set(key, known);
}

/** Ends the sequence, unless the difference is known. */
export function raise(
  { isKnown }: Session,
  difference: Difference,
  { exchanges }: { readonly exchanges?: readonly Exchange[] } = {},
  grounds?: () => Grounds | undefined,
): void {
  if (!isKnown(difference)) throw new DifferenceFound(difference, grounds?.(), exchanges);
}

/** Known records of the family, those first that the sequence at work made. */
export function live({ book, context, labels }: Session): readonly Known[] {
  const own = new Set(labels.values());
  const all = [...book.values()].filter((known) => known.family === context.family.name && known.isLive === true);
  const isOwn = (known: Known) => own.has(keyOf(known.family, known.id));
  return [...all.filter(isOwn), ...all.filter((known) => !isOwn(known))];
}

/** Labels of a record that no step of the sequence made, and of the one that it removed last. */
export const BYSTANDER = 'bystander';
export const REMOVED = 'removed';

/** True if a family is only read: all its records are those of others. */
export const isOnlyRead = ({ ops }: Family): boolean => !ops.includes('create') && !ops.includes('apply');

/** True if all that the session knows are records of others, which these may change at any time. A view shows those of the run too. */
export const knowsOthersOnly = ({ history, context }: Session): boolean =>
  (isOnlyRead(context.family) || history.length > 0) &&
  history.every(({ kind, family, id }) => kind === 'learn' && isOfOthers(context, family, id));

function byRule(session: Session, who: string): Known | undefined {
  const { book, labels, history, context } = session;
  if (who === BYSTANDER) return live(session).at(-1);
  const own = new Set(labels.values());
  if (who === REMOVED) {
    const isRemoved = ({ kind, end, family, id }: Write) =>
      kind === 'delete' && end === 'done' && family === context.family.name && own.has(keyOf(family, id));
    const last = history.findLast(isRemoved);
    return last === undefined ? undefined : book.get(keyOf(last.family, last.id));
  }
  // A family in which nothing can be made has the records of others alone.
  if (!who.startsWith('#')) return hasOp(context.family, 'create') ? undefined : live(session).at(-1);
  const all = live(session).filter(({ family, id }) => isOnlyRead(context.family) || own.has(keyOf(family, id)));
  return all[Number(who.slice(1)) % all.length];
}

/** The record that a step made under a label; for `#n` the n-th one, modulo their number, so that shorter sequences mean something. */
export function findRecord(session: Session, who: string): Known | undefined {
  const key = session.labels.get(who) ?? session.kept.get(who);
  return key === undefined ? byRule(session, who) : session.book.get(key);
}

/** The record that a label stands for. Throws `NotDone` if there is none. */
export function recordOf(session: Session, who: string): Known {
  const known = findRecord(session, who);
  if (known === undefined) throw new NotDone(`no record ${who}`);
  return known;
}

/** The record that a label stands for, to write to: until the answer, a look may show it before or after. Throws as `recordOf` does. */
export function recordToWrite(session: Session, who: string): Known {
  const known = recordOf(session, who);
  session.touched.add(keyOf(known.family, known.id));
  return known;
}

/** Member that names a record of the family. */
export const nameOf = ({ context }: Session, family = context.family.name): string =>
  nameMember(context.table[family] ?? context.family) ?? 'name';

export const offers = ({ context: { table, family } }: Session, op: Op, on = family.name): boolean =>
  table[on] !== undefined && hasOp(table[on], op);

/** Name of a view that shows the records of the family, or of the family itself if it is one; undefined if there is none. */
export const viewIn = ({ context: { table, family } }: Session): string | undefined =>
  family.viewOf === undefined ? viewOf(table, family.name) : family.name;
