import { type BulkRun, submitInJson, submitRecords } from '../../conformance/kit/bulk.ts';
import { findByName, takeUp } from '../../conformance/kit/record/finder.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { isNotServed, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import type { StepOf } from '../draw/step.ts';
import { isExcused, refusedPlain } from '../model/attempt.ts';
import { checkAll, checkWritten } from '../model/look.ts';
import { chosen, freshName, type Held, nameOf, offers, raise, type World } from '../model/world.ts';
import { admit, bodyOf, learnGenerated } from './create.ts';

/** The forms in which records are submitted: none is shown, so a target takes the one, the other, both or neither. */
const SUBMIT = { json: submitInJson, xml: submitRecords } as const;
type Form = keyof typeof SUBMIT;

/** A bulk request was taken, is known to the monitor of its family alone, and came to its end. */
async function mustRun(world: World, form: Form, { submitted, id, monitored, state }: BulkRun): Promise<boolean> {
  const { context } = world;
  const lesson = `bulkSubmit in ${form}`;
  if (!isSuccess(submitted)) {
    if (!isExcused(submitted) && !isNotServed(submitted) && world.lessons.accepted.has(lesson))
      refusedPlain(world, 'bulkSubmit', submitted);
    return false;
  }
  world.lessons.accepted.add(lesson).add('bulkSubmit');
  const last = monitored.at(-1);
  const fault =
    id === undefined
      ? 'no id'
      : last === undefined || !isSuccess(last)
        ? `status ${last?.status ?? 0} of the monitor`
        : state === 'running'
          ? 'still running'
          : undefined;
  if (fault !== undefined) {
    if (last !== undefined && isExcused(last)) return false;
    raise(world, {
      requirement: 'SPC-BULK',
      what: 'bulk request',
      expected: 'an end that its monitor tells',
      observed: fault,
    });
    return false;
  }
  for (const [other, shape] of Object.entries(context.table)) {
    if (id === undefined || other === context.family.name || !hasOp(shape, 'bulkMonitor')) continue;
    const answer = await context.send('bulkMonitor', { bulkId: id }, other);
    if (isSuccess(answer))
      raise(world, {
        requirement: 'SPC-BULK',
        what: 'bulk request of another family',
        expected: `${other} not to know ${id}`,
        observed: `status ${answer.status}`,
      });
  }
  return true;
}

/** Finds the records that a bulk request was to make; those that are not there after the whole window are missing. */
async function findMade(world: World, names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const { context } = world;
  let ids: readonly (string | undefined)[] = [];
  await context.eventually(async () => {
    ids = await Promise.all(names.map(async (name) => (await findByName(context, context.family.name, name))[0]));
    for (const [index, id] of ids.entries())
      if (id !== undefined) context.ledger.adopt(context.family.name, id, names[index] ?? '');
    return ids.every((id) => id !== undefined) ? true : undefined;
  });
  return ids;
}

async function createMany(world: World, form: Form, bodies: readonly Record<string, unknown>[]): Promise<void> {
  const { context, lessons } = world;
  const names = bodies.map((fields) => String(fields[nameOf(world)]));
  for (const name of names) context.ledger.note('intent', { family: context.family.name, operation: 'create', name });
  const run = await SUBMIT[form](context, bodies);
  if (!(await mustRun(world, form, run))) return;
  const ids = await findMade(world, names);
  for (const [index, name] of names.entries())
    if (ids[index] === undefined) await takeUp(context, context.family.name, name);
  // The place for records is not shown: a target that never made one may know another.
  const lesson = `bulk create in ${form}`;
  if (ids.some((id) => id !== undefined)) lessons.accepted.add(lesson);
  if (!lessons.accepted.has(lesson)) return;
  const made = ids.flatMap((id, index): Held[] =>
    id === undefined ? [] : [{ id, fields: bodies[index] ?? {}, by: 'SPC-BULK' }],
  );
  world.held.push(...made);
  for (const [index, fields] of bodies.entries()) {
    if (ids[index] !== undefined) continue;
    // An item may be refused for a reason of its own: then a create of the same record is refused too.
    const control = { ...fields, [nameOf(world)]: freshName(world) };
    const exchange = await context.send('create', { fields: control });
    if (!isSuccess(exchange)) continue;
    await admit(world, exchange, control);
    raise(world, {
      requirement: 'SPC-BULK',
      what: 'bulk create',
      expected: `record ${index + 1} of ${names.length}, as a create makes one`,
      observed: 'no such record',
    });
  }
  for (const record of made) await learnGenerated(world, record);
  await checkWritten(world, made, 0);
}

/** True where a read shows the name within the window. */
async function bears(world: World, { id }: Held, name: unknown): Promise<boolean> {
  const isShown = await world.context.eventually(async () => {
    const exchange = await world.context.send('read', { id });
    return isSuccess(exchange) && recordOf(exchange)?.[nameOf(world)] === name ? true : undefined;
  });
  return isShown === true;
}

async function updateMany(
  world: World,
  form: Form,
  records: readonly Held[],
  changes: readonly Record<string, unknown>[],
): Promise<void> {
  const { context, lessons } = world;
  const items = records.map((record, index) => ({ record, fields: { ...record.fields, ...changes[index] } }));
  const bodies = items.map(({ record, fields }) => ({ ...fields, id: record.id }));
  const run = await SUBMIT[form](context, bodies, 'update');
  if (!isSuccess(run.submitted) || !(await mustRun(world, form, run))) return;
  const isDone = await Promise.all(items.map(({ record, fields }) => bears(world, record, fields[nameOf(world)])));
  // The word for updates is not shown: a target that never did one may know another.
  const lesson = `bulk update in ${form}`;
  if (isDone.includes(true)) lessons.accepted.add(lesson);
  if (!lessons.accepted.has(lesson)) return;
  for (const [index, { record, fields }] of items.entries()) {
    if (isDone[index] !== true) {
      // An item may be refused for a reason of its own: then an update of the same record is refused too.
      const control = await context.send('update', { id: record.id, fields: { ...fields, id: record.id } });
      if (!isSuccess(control)) continue;
    }
    record.fields = fields;
    record.by = 'SPC-BULK';
    if (isDone[index] !== true)
      raise(world, {
        requirement: 'SPC-BULK',
        what: 'bulk update',
        expected: `item ${index + 1} of ${items.length}, as an update does it`,
        observed: 'the record under its old name',
      });
    await learnGenerated(world, record);
  }
  await checkWritten(world, records, 1);
}

/** Creates or updates several records in one bulk request: each of them is as its item says. */
export async function bulkStep(world: World, { action, sent, values }: StepOf<'bulk'>): Promise<void> {
  if (!world.isFull) return;
  const bodies = values.map((each) => bodyOf(world, each));
  await world.unhurried(async () => {
    if (action === 'create')
      return createMany(
        world,
        sent,
        bodies.map((fields) => world.context.payload({ ...fields, [nameOf(world)]: freshName(world) })),
      );
    const records = [...new Set(values.map((_, index) => chosen(world, index)))].filter((each) => each !== undefined);
    if (action !== 'update' || records.length === 0 || !offers(world, 'update')) return;
    await updateMany(
      world,
      sent,
      records,
      records.map((_, index) => ({ ...bodies[index], [nameOf(world)]: freshName(world) })),
    );
  });
  if (action === 'update') await checkAll(world);
}
