import { hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { idOf, isNotServed, isOfState, isSuccess, recordOf as recordIn } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { NotDone, nameOf, note, raise, recordToWrite, type Session } from '../driver/session.ts';
import { answerText, isExcused, refusalText } from '../kit/answer.ts';
import { type BulkRun, bulkValues, countsOf, runBulk, submitRecords, toldId } from '../kit/bulk.ts';
import { findByName, takeUp } from '../kit/record/finder.ts';
import { shown } from '../kit/record/record-reads.ts';
import { type Fields, keyOf, openBinding } from '../model/history.ts';
import { isGenerated } from '../model/member.ts';
import { isShownAs, withOff } from '../model/value.ts';
import { attempt, sendPlain } from './attempt.ts';
import { admit, learnGenerated, mustBeNew } from './made.ts';
import { bodyOf, freshName, marked, nameText } from './names.ts';
import { PLAIN, type StepOf } from './step.ts';

type Bulk = StepOf<'bulk'>;
type Kind = 'refused' | 'no-effect' | 'value';
type Subject = 'bulk status' | 'bulk records' | 'bulk end' | 'bulk id';

/** Ends the sequence with what a bulk request, or its monitor, did against "Special paths", bulk. */
function fail(session: Session, [kind, subject]: readonly [Kind, Subject], expected: string, observed: string): void {
  const isOfMonitor = subject === 'bulk id' || (subject === 'bulk end' && kind === 'refused');
  const about = { kind, operation: isOfMonitor ? 'bulkMonitor' : 'bulkSubmit', subject } as const;
  const onlyIf = isOfMonitor && subject === 'bulk end' ? 'the monitor knew it before' : undefined;
  const { name: family } = session.context.family;
  raise(session, { requirement: 'SPC-BULK', about, family, expected, observed, ...defined({ onlyIf }) });
}

/** Submits items, or none. The specification shows no place for them (gap G-08); published definitions use this one. */
function submit(session: Session, step: Bulk, records?: readonly Fields[]): Promise<BulkRun> {
  const { action, form, carried = PLAIN } = step;
  const { context } = session;
  const bulk = records && { action, records };
  if (bulk !== undefined && form === 'xml' && action !== 'delete') return submitRecords(context, bulk);
  const input = { fields: bulkValues(context.family.name, action), ...defined({ bulk }) };
  const send = async (op: 'bulkSubmit' | 'bulkMonitor', each: RequestInput) =>
    (await attempt(session, op, each, carried)).exchange;
  // The monitor is asked once with what the request carries, too.
  return runBulk(context, () => send('bulkSubmit', input), { first: (bulkId) => send('bulkMonitor', { bulkId }) });
}

const lessonOf = ({ action, form }: Pick<Bulk, 'action' | 'form'>): string => `bulk ${action} ${form}`;

/** The request was taken, and its monitor shows its end. `leaveOpen`: nobody knows what it did. Source: "Special paths", bulk. */
async function mustRun(
  session: Session,
  step: Bulk,
  { submitted, id, monitored, state }: BulkRun,
  leaveOpen: () => void = () => undefined,
): Promise<void> {
  const { lessons } = session;
  if (!isSuccess(submitted)) {
    // How many records a target takes, and which names and numbers it keeps, is not shown: "Limits", "States and transitions".
    const isOpen = isExcused(submitted) || isNotServed(submitted) || (step.action === 'create' && isOfState(submitted));
    if (!isOpen && lessons.taken.has(lessonOf(step)))
      fail(session, ['refused', 'bulk records'], `a bulk ${step.action} to be taken, as before`, answerText(submitted));
    throw new NotDone(refusalText(submitted));
  }
  const last = monitored.at(-1);
  if (last !== undefined && isExcused(last)) throw new NotDone(refusalText(last));
  const told = last && toldId(last);
  if (id !== undefined && told !== undefined && told !== id) {
    leaveOpen();
    fail(session, ['value', 'bulk id'], `the status of ${id}`, `that of ${shown(told)}`);
    throw new NotDone('the monitor tells of another request');
  }
  if (last !== undefined && !isSuccess(last)) {
    const wasKnown = monitored.some(isSuccess);
    const expected = `the monitor to know ${id}`;
    leaveOpen();
    fail(session, ['refused', wasKnown ? 'bulk end' : 'bulk id'], expected, answerText(last));
    if (wasKnown) throw new NotDone('the monitor knows the request no more');
  } else if (id === undefined || last === undefined || state === 'running') {
    const seen = id === undefined ? 'no id' : last === undefined ? 'no answer of the monitor' : 'still running';
    leaveOpen();
    fail(session, ['no-effect', 'bulk end'], 'a bulk request whose monitor knows it and sees its end', seen);
  }
  if (state === 'running') throw new NotDone('the bulk request did not end in time');
}

/** What the monitor counts at the end of a request; nothing before. */
const countsAtEnd = ({ monitored, state }: BulkRun) =>
  countsOf({ json: state === 'done' ? monitored.at(-1)?.json : undefined });

/** True if the monitor counts all items, and says of some that are not done that they did not fail: the target reads their form. */
function readsAll(run: BulkRun, done: number, count: number): boolean {
  const { all, failed = count } = countsAtEnd(run);
  return all === count && done + failed < count;
}

/** True if the monitor says that no more items are done than are seen: there is nothing to wait for. */
const isShort = (run: BulkRun, seen: number): boolean =>
  (countsAtEnd(run).succeeded ?? Number.POSITIVE_INFINITY) <= seen;

/** Items of one bulk request that the target never did may have another form there: then nothing can be said. */
function mayBeUnknown(session: Session, step: Bulk, run: BulkRun, done: number, count: number): boolean {
  const { taken } = session.lessons;
  if (done > 0) taken.add(lessonOf(step));
  // Items of an update stand where those of a create do.
  const isKnown =
    taken.has(lessonOf(step)) || (step.action === 'update' && taken.has(lessonOf({ ...step, action: 'create' })));
  return !isKnown && !((countsAtEnd(run).succeeded ?? 0) >= count) && !readsAll(run, done, count);
}

async function createAll(session: Session, step: Bulk): Promise<void> {
  const { context, labels } = session;
  const family = context.family.name;
  const member = nameOf(session);
  const nameAt = (at: number) => nameText(session, step.names?.[at] ?? { fresh: '' }) ?? freshName(session);
  const bodies = step.sets.map((set, at) =>
    marked(session, context.payload({ ...context.run.values.adaptAll(set), [member]: nameAt(at) })),
  );
  const names = bodies.map((fields) => String(fields[member]));
  const run = await submit(session, step, bodies);
  // A record of the request may come at any time from then on.
  const leaveOpen = () => {
    session.count.flying += 1;
  };
  await mustRun(session, step, run, leaveOpen);
  let ids: readonly (string | undefined)[] = [];
  let done = 0;
  await context.eventually(async () => {
    ids = await Promise.all(names.map(async (name) => (await findByName(context, family, name))[0]));
    done = ids.filter((id) => id !== undefined).length;
    return done === ids.length || isShort(run, done) ? true : undefined;
  });
  for (const [at, id] of ids.entries()) {
    if (id === undefined || !context.ledger.adopt({ family, id, name: names[at] ?? '' }))
      await takeUp(context, family, names[at] ?? '');
    else {
      mustBeNew(session, context.family, id, bodies[at] ?? {});
      note(session, { kind: 'create', family, id, sent: bodies[at] ?? {}, form: step.form, bulk: true, end: 'done' });
      labels.set(step.who[at] ?? `bulk ${at}`, keyOf(family, id));
      await learnGenerated(session, context.family, id);
    }
  }
  if (mayBeUnknown(session, step, run, done, ids.length)) throw new NotDone('no item was made');
  const at = ids.indexOf(undefined);
  if (at < 0) return;
  // An item may be refused for a reason of its own: then a create of the same record is refused too.
  const control = { ...bodies[at], [member]: nameAt(at) };
  const exchange = await sendPlain(session, 'create', { fields: control });
  if (!isSuccess(exchange)) return;
  const as = `control ${session.history.length}`;
  await admit(session, exchange, { family: context.family, fields: control, form: 'json', as });
  const observed = `${done} of ${ids.length}: record ${at + 1} is not there`;
  fail(session, ['no-effect', 'bulk records'], `all ${ids.length} records of a bulk create made`, observed);
}

async function changeAll(session: Session, step: Bulk): Promise<void> {
  const { context } = session;
  const family = context.family.name;
  if (!hasOp(context.family, step.action)) throw new NotDone(`no ${step.action}`);
  const named = [...new Set(step.who.map((who) => recordToWrite(session, who)))];
  const records = named.filter(({ isLive }) => isLive === true);
  if (records.length === 0) throw new NotDone('no record');
  const isUpdate = step.action === 'update';
  const changed = (at: number) => context.run.values.adaptAll(step.sets[at] ?? {});
  const sent = records.map(
    (known, at): Fields => (isUpdate ? marked(session, { ...bodyOf(session, known), ...changed(at) }) : {}),
  );
  const items = records.map(({ id }, at) => ({ ...sent[at], id }));
  const run = await submit(session, step, items);
  const write = { kind: step.action as 'update' | 'delete', family, form: step.form, bulk: true } as const;
  await mustRun(session, step, run, () => {
    for (const [at, { id }] of records.entries()) note(session, { ...write, id, sent: sent[at] ?? {}, end: 'unknown' });
  });
  let done: readonly boolean[] = [];
  await context.eventually(async () => {
    done = await Promise.all(
      records.map(({ id }, at) =>
        isDone(session, id, isUpdate ? openBinding(context.family, sent[at] ?? {}) : undefined),
      ),
    );
    return done.every(Boolean) || isShort(run, done.filter(Boolean).length) ? true : undefined;
  });
  const isOpen = mayBeUnknown(session, step, run, done.filter(Boolean).length, records.length);
  for (const [at, { id }] of records.entries()) {
    const fields = sent[at] ?? {};
    // An item may be refused for a reason of its own: then the same by itself is refused too.
    const isTried = !done[at] && !isOpen && isUpdate;
    const isRefused = isTried && !isSuccess(await sendPlain(session, 'update', { id, fields: { ...fields, id } }));
    note(session, { ...write, id, sent: fields, end: isOpen ? 'unknown' : isRefused ? 'refused' : 'done' });
    if (!isUpdate && done[at]) context.ledger.gone(family, id);
    if (done[at] || isOpen || isRefused) continue;
    const expected = `all ${records.length} records of a bulk ${step.action} ${isUpdate ? 'updated' : 'gone'}`;
    const observed = `record ${at + 1} is ${isUpdate ? 'not as its item says' : 'still there'} (${id})`;
    const count = `${done.filter(Boolean).length} of ${records.length}`;
    fail(session, ['no-effect', 'bulk records'], expected, `${count}: ${observed}`);
  }
  if (isOpen) throw new NotDone('no item was done');
}

async function isDone(session: Session, id: string, fields: Fields | undefined): Promise<boolean> {
  const exchange = await sendPlain(session, 'read', { id });
  const record = isSuccess(exchange) ? recordIn(exchange) : undefined;
  if (fields === undefined || record === undefined) return fields === undefined && idOf(record) !== id;
  const isShown = ([member, value]: readonly [string, unknown]) =>
    isGenerated(session.context.family, member, value) || isShownAs(withOff(record[member], value), value, 'xml');
  return Object.entries(fields).every(isShown);
}

/** Creates, changes or removes several records in one bulk request: each is then as its item says. */
export async function bulk(session: Session, step: Bulk): Promise<void> {
  if (!hasOp(session.context.family, 'bulkSubmit')) throw new NotDone('no bulk');
  if (step.action !== 'create') return changeAll(session, step);
  if (step.sets.length > 0) return createAll(session, step);
  // A request without items, in the members that the specification lists.
  await mustRun(session, step, await submit(session, step));
  session.lessons.taken.add(lessonOf(step));
}
