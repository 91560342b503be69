import type { Exchange } from '../../lib/client/types.ts';
import { TargetError, UsageError } from '../../lib/errors.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import { isNotFound, isSuccess } from '../../lib/wire/answer.ts';
import { Blocked } from '../kit/fault.ts';
import { removeOwn } from '../kit/record/finder.ts';
import type { Difference } from '../model/difference.ts';
import { type Known, keyOf } from '../model/history.ts';
import { apply, clear } from '../steps/anc.ts';
import { bulk } from '../steps/bulk.ts';
import { create } from '../steps/create.ts';
import { race } from '../steps/race.ts';
import { PLAIN, type Step, type StepOf, type Steps } from '../steps/step.ts';
import { remove, update } from '../steps/update.ts';
import { version } from '../steps/version.ts';
import { wrong } from '../steps/wrong.ts';
import { clearEndpoints, leaveEndpoints } from './clear-endpoints.ts';
import { apart, lookAt, lookFirst } from './look.ts';
import { DifferenceFound, findRecord, isOfGone, NotDone, note, type Session } from './session.ts';
import { tallyWrite } from './tally.ts';
import { together } from './together.ts';

export interface Ran {
  readonly difference: Difference | undefined;
  readonly grounds: Grounds | undefined;
  readonly notDone: ReadonlyMap<number, string>;
  readonly exchanges: readonly Exchange[];
  /** Steps that were begun: what comes after the one that shows a difference is not sent. */
  readonly begun: number;
  readonly made: ReadonlyMap<string, Known>;
  /** Labels of the records that were deleted when all steps were done, in order. */
  readonly left: readonly string[];
}

export type Found = Ran & { readonly difference: Difference };
export const isFound = (ran: Ran): ran is Found => ran.difference !== undefined;

interface Running {
  readonly keep?: boolean;
  /** Ends with a connection that breaks: who asks for the steps does them again. */
  readonly isBrittle?: boolean;
  readonly isOver?: () => boolean;
}

type Sent = Exclude<Step['step'], 'look' | 'together' | 'skip'>;
const SENT: { readonly [K in Sent]: (session: Session, step: StepOf<K>) => Promise<void> } = {
  ...{ create, update, delete: remove, bulk, apply, clear, wrong, race, version },
};

async function perform(session: Session, step: Step): Promise<void> {
  await performStep(session, step);
  tallyWrite(session.count.tally, step);
}

/** Throws `NotDone` for a write if the own family takes none: in another family it would show nothing more, and be left too. */
function mustBeOpen({ context: { ledger, family } }: Session, step: Step): void {
  const what = step.step === 'race' ? 'update' : step.step === 'bulk' ? step.action : step.step;
  const why = what === 'create' || what === 'update' ? ledger.closed(family.name, what) : undefined;
  if (why !== undefined) throw new NotDone(`no ${what} in ${family.name}: ${why}`);
}

async function performStep(session: Session, step: Step): Promise<void> {
  if (step.step === 'skip') throw new NotDone(step.why);
  if (step.step === 'together') return together(session, apart(session, step.steps), perform);
  if (step.step !== 'look') {
    mustBeOpen(session, step);
    await lookFirst(session, step);
    return (SENT[step.step] as (on: Session, one: Step) => Promise<void>)(session, step).catch(async (fault) => {
      // What is not there any more, something else took: that tells more than the refusal.
      if (isOfGone(fault)) await lookFirst(session, step, true);
      const last = session.sent.at(-1);
      const isTold = isOfGone(fault) && last?.request.op === 'read' && isNotFound(last);
      throw isTold ? new NotDone('the record is gone, which is told') : fault;
    });
  }
  await lookAt(session, step.look);
  if (step.twice) await lookAt(session, step.look);
}

/** Leaves out what cannot be done. The client writes to nothing that it cannot prove to be ours, nor to a family that is not served. */
async function unlessNotDone(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (fault) {
    if (fault instanceof UsageError || fault instanceof NotDone || fault instanceof Blocked) return fault.message;
    throw fault;
  }
}

/** Steps of a session that a broken connection may end before the session ends. */
const MOST_BROKEN = 30;

/** What a record holds, and whether it is there, nobody knows any more. */
function forget({ book }: Session, key: string): void {
  const known = book.get(key);
  if (known) book.set(key, { ...known, isLive: undefined, fields: {} });
}

/** Goes on behind a connection that broke: nobody knows what the writes of the sequence left. Throws any other fault. */
function goOn(session: Session, { step }: Pick<Step, 'step'>, fault: unknown): string {
  const { count, touched } = session;
  if (!(fault instanceof TargetError) || fault.code !== 'reset' || count.broken >= MOST_BROKEN) throw fault;
  count.broken += 1;
  if (step === 'look' || step === 'version') return fault.message;
  count.flying += 1;
  for (const key of touched) forget(session, key);
  return fault.message;
}

function own({ book, labels }: Session): readonly (readonly [string, Known])[] {
  const byKey = new Map([...labels].map(([label, key]) => [key, label]));
  return [...byKey].flatMap(([key, label]) => {
    const known = book.get(key);
    return known === undefined ? [] : [[label, known] as const];
  });
}

/** Deletes what the sequence made, newest first, and looks at each, and at what it refers to: a delete has to work on its record alone, whatever came before. */
async function leave(session: Session, left: string[]): Promise<void> {
  if (session.context.family.ops.includes('apply')) {
    await unlessNotDone(leaveEndpoints(session));
    return;
  }
  for (const [who, { isLive, family, id, fields }] of own(session).toReversed()) {
    if (isLive !== true) continue;
    left.push(who);
    const isReferred = (key: string) => Object.values(fields).some((value) => session.book.get(key)?.id === value);
    const looked = [who, ...[...session.kept].flatMap(([label, key]) => (isReferred(key) ? label : []))];
    const remove = async () => {
      await performStep(session, { step: 'delete', who, carried: PLAIN });
      for (const each of looked) await lookAt(session, { window: 'read', who: each, form: 'json', carried: PLAIN });
    };
    await unlessNotDone(remove()).catch((fault: unknown) => {
      if (fault instanceof DifferenceFound) session.context.ledger.adopt({ family, id });
      goOn(session, { step: 'delete' }, fault);
    });
  }
}

const isRemoved = ({ deleted, shown }: Awaited<ReturnType<typeof removeOwn>>): boolean =>
  deleted !== undefined && isSuccess(deleted) && shown === undefined;

/** Removes what the sequence made and did not delete; what stays is left to the clean-up of the run. Never throws. */
async function cleanUp(session: Session, shown: Difference | undefined): Promise<void> {
  const { labels, context } = session;
  // What a delete left without a word, another one may take.
  const isBack = ({ id }: Known) => shown?.about.operation === 'delete' && shown.about.record === id;
  const back = own(session).filter(([, known]) => isBack(known));
  for (const [, { family, id }] of back) context.ledger.adopt({ family, id });
  const left = own(session).filter(([, known]) => known.isLive !== false || isBack(known));
  labels.clear();
  if (context.family.ops.includes('apply')) return clearEndpoints(session);
  await Promise.all(
    left.map(async ([, { family, id }]) => {
      let end: 'done' | 'unknown' = 'unknown';
      try {
        const isTaken = isRemoved(await removeOwn(context, { family, id }));
        if (isTaken || isRemoved(await removeOwn(context, { family, id }, { isPlain: true }))) end = 'done';
      } catch {}
      note(session, { kind: 'delete', family, id, sent: {}, form: 'json', end });
      // To remove it, it was given plain texts.
      if (end === 'unknown') forget(session, keyOf(family, id));
    }),
  );
}

/** Does the steps on records of its own, and removes these unless they are kept. Ends at the first difference. Throws `TargetError`. */
export async function runSteps(
  session: Session,
  steps: Steps,
  { keep = false, isBrittle = false, isOver = () => false }: Running = {},
): Promise<Ran> {
  const notDone = new Map<number, string>();
  session.sent.length = 0;
  session.touched.clear();
  Object.assign(session.told, { shown: 0, absent: 0, parted: 0 });
  let found: DifferenceFound | undefined;
  let begun = 0;
  let exchanges: readonly Exchange[] = [];
  let made: Ran['made'] = new Map();
  const left: string[] = [];
  try {
    for (const [at, step] of steps.entries()) {
      if (isOver()) break;
      begun += 1;
      const why = await unlessNotDone(perform(session, step)).catch((fault) => {
        // What is open is open for the next sequence of the session, too.
        const lost = goOn(session, step, fault);
        if (isBrittle) throw fault;
        return lost;
      });
      if (why !== undefined) notDone.set(at, why);
    }
    if (!keep && !isOver()) await leave(session, left);
  } catch (fault) {
    if (!(fault instanceof DifferenceFound)) throw fault;
    found = fault;
  } finally {
    // Those that show the difference come last.
    const shows = found?.exchanges ?? [];
    exchanges = [...session.sent.filter(({ id }) => !shows.some((shown) => shown.id === id)), ...shows];
    made = new Map(
      [...session.labels.keys()].flatMap((label) => {
        const known = findRecord(session, label);
        return known === undefined ? [] : [[label, known] as const];
      }),
    );
    if (!keep) await cleanUp(session, found?.difference);
  }
  return { difference: found?.difference, grounds: found?.grounds, notDone, exchanges, begun, made, left };
}
