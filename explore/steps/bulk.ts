import { type BulkRun, submitRecords } from '../../conformance/kit/bulk.ts';
import { findByName, takeUp } from '../../conformance/kit/record/finder.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { isNotServed, isSuccess } from '../../lib/wire/answer.ts';
import type { StepOf } from '../draw/step.ts';
import { isExcused, refusedPlain } from '../model/attempt.ts';
import { checkAll, checkWritten } from '../model/look.ts';
import { chosen, freshName, type Held, nameOf, offers, raise, settled, type World } from '../model/world.ts';
import { admit, bodyOf, learnGenerated } from './create.ts';

/** A bulk request was taken, is known to the monitor of its family alone, and came to its end. */
async function mustRun(world: World, { submitted, id, monitored, state }: BulkRun): Promise<boolean> {
  const { context } = world;
  if (!isSuccess(submitted)) {
    if (!isExcused(submitted) && !isNotServed(submitted) && world.lessons.accepted.has('bulkSubmit'))
      refusedPlain(world, 'bulkSubmit', submitted);
    return false;
  }
  world.lessons.accepted.add('bulkSubmit');
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

async function createMany(world: World, bodies: readonly Record<string, unknown>[]): Promise<void> {
  const { context, lessons } = world;
  const names = bodies.map((fields) => String(fields[nameOf(world)]));
  for (const name of names) context.ledger.note('intent', { family: context.family.name, operation: 'create', name });
  const run = await submitRecords(context, bodies);
  if (!(await mustRun(world, run))) return;
  const ids = await findMade(world, names);
  for (const [index, name] of names.entries())
    if (ids[index] === undefined) await takeUp(context, context.family.name, name);
  // The place for records is not shown: a target that never made one may know another.
  if (ids.some((id) => id !== undefined)) lessons.accepted.add('bulk');
  if (!lessons.accepted.has('bulk')) return;
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

async function updateMany(world: World, records: readonly Held[], changes: readonly Record<string, unknown>[]) {
  const fields = records.map((record, index): Record<string, unknown> => {
    return { ...record.fields, ...changes[index], id: record.id };
  });
  const run = await submitRecords(world.context, fields, 'update');
  if (!isSuccess(run.submitted) || !(await mustRun(world, run))) return;
  const isFirst = !world.lessons.accepted.has('bulk update');
  const [head] = records;
  // A target that knows another word for updates leaves the first record as it was.
  if (isFirst && head !== undefined) {
    const before = { ...head.fields };
    head.fields = { ...fields[0] };
    const found = await settled(world, async () => {
      const { json } = await world.context.send('read', { id: head.id });
      const text = JSON.stringify(json) ?? '';
      return text.includes(JSON.stringify(fields[0]?.[nameOf(world)]))
        ? undefined
        : { requirement: 'SPC-BULK', what: 'bulk update', expected: 'the update', observed: 'none' };
    });
    if (found !== undefined) {
      head.fields = before;
      return;
    }
    world.lessons.accepted.add('bulk update');
  }
  for (const [index, record] of records.entries()) {
    record.fields = { ...record.fields, ...changes[index] };
    record.by = 'SPC-BULK';
    await learnGenerated(world, record);
  }
  await checkWritten(world, records, 1);
}

/** Creates or updates several records in one bulk request: each of them is as its item says. */
export async function bulkStep(world: World, { action, values }: StepOf<'bulk'>): Promise<void> {
  if (!world.isFull) return;
  const bodies = values.map((each) => bodyOf(world, each));
  await world.unhurried(async () => {
    if (action === 'create')
      return createMany(
        world,
        bodies.map((fields) => world.context.payload({ ...fields, [nameOf(world)]: freshName(world) })),
      );
    const records = [...new Set(values.map((_, index) => chosen(world, index)))].filter((each) => each !== undefined);
    if (action !== 'update' || records.length === 0 || !offers(world, 'update')) return;
    await updateMany(
      world,
      records,
      records.map((_, index) => ({ ...bodies[index], [nameOf(world)]: freshName(world) })),
    );
  });
  if (action === 'update') await checkAll(world);
}
