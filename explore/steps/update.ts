import { rangeOf } from '../../conformance/kit/fields.ts';
import { fieldsOf } from '../../lib/contract/types.ts';
import { isSuccess, recordOf } from '../../lib/wire/answer.ts';
import type { Carried, StepOf, Values } from '../draw/step.ts';
import { allOf } from '../model/at-once.ts';
import { attempt, isExcused, PLAIN, refusedOnce, refusedPlain } from '../model/attempt.ts';
import { checkFound } from '../model/found.ts';
import { checkAll, checkGone, checkRead, checkWritten } from '../model/look.ts';
import { chosen, freshName, type Held, nameOf, offers, raise, takenName, type World } from '../model/world.ts';
import { bodyOf, learnGenerated } from './create.ts';

/** Members that an update leaves out may be kept or cleared: they are not known any more. */
async function updateOne(world: World, record: Held, changes: Values, carried: Carried): Promise<boolean> {
  const fields = { ...record.fields, ...changes };
  const input = { id: record.id, fields: { ...fields, id: record.id } };
  const { exchange, isDone } = await attempt(world, 'update', input, carried);
  const accept = async () => {
    record.fields = fields;
    record.by = 'PAY-U';
    await learnGenerated(world, record);
    return true;
  };
  if (isDone) return accept();
  // What it holds already is nothing that an update may be refused for.
  const same = await world.context.send('update', { id: record.id, fields: { ...record.fields, id: record.id } });
  if (!isSuccess(same)) {
    refusedPlain(world, 'update', same);
    return false;
  }
  world.lessons.accepted.add('update');
  record.by = 'PAY-U';
  const second = await world.context.send('update', input);
  if (!isSuccess(second)) return false;
  await accept();
  if (!isExcused(exchange)) refusedOnce(world, 'update', exchange);
  return true;
}

/** Updates one or several records at one time, and looks at them, at their neighbors and at what is filtered by name. */
export async function updateStep(world: World, { who, values, carried }: StepOf<'update'>): Promise<void> {
  const records = [...new Set(values.map((_, index) => chosen(world, who + index)))].filter(
    (each) => each !== undefined,
  );
  await allOf(records.map((record, index) => updateOne(world, record, bodyOf(world, values[index] ?? {}), carried)));
  await checkWritten(world, records, who);
}

/** Gives a record another name: it is found under the new one, and not under the old one. */
export async function renameStep(world: World, { who, suffix, carried }: StepOf<'rename'>): Promise<void> {
  const record = chosen(world, who);
  if (record === undefined) return;
  const old = String(record.fields[nameOf(world)] ?? '');
  const isDone = await updateOne(
    world,
    record,
    { [nameOf(world)]: takenName(world, freshName(world), suffix) },
    carried,
  );
  await checkWritten(world, [record], who);
  if (isDone && old !== '') await checkFound(world, record, old);
}

/** Removes a record: it is gone, and its neighbors stay. */
export async function deleteStep(world: World, { who, carried }: StepOf<'delete'>): Promise<void> {
  const { held, gone } = world;
  const record = chosen(world, who);
  if (record === undefined) return;
  const { exchange, isDone } = await attempt(world, 'delete', { id: record.id }, carried);
  if (!isDone) return refusedPlain(world, 'delete', exchange);
  world.lessons.accepted.add('delete');
  held.splice(held.indexOf(record), 1);
  gone.push({ id: record.id, name: String(record.fields[nameOf(world)] ?? '') });
  await checkGone(world, record.id);
  await checkWritten(world, [], who);
}

/** Asks for a removed record: nothing happens to the others. */
export async function goneStep(world: World, { op }: StepOf<'gone'>): Promise<void> {
  const { gone, held } = world;
  const old = gone.at(-1);
  if (old === undefined || !offers(world, op)) return;
  const fields = { ...(held[0]?.fields ?? {}), [nameOf(world)]: freshName(world), id: old.id };
  await world.context.send(op, { id: old.id, ...(op === 'update' ? { fields } : {}) });
  await checkAll(world);
}

/** Members that tell versions apart: those that are compared and not unique numbers. */
const versionOf = (fields: Readonly<Record<string, unknown>>, members: readonly string[]) =>
  JSON.stringify(members.map((member) => fields[member]));

/** Readers of a record while updates of it race, and the looks of each at most. A torn version may stand for a moment only. */
const READERS = 4;
const LOOKS = 20;

/**
 * Updates one record from several connections at one time, and reads it meanwhile: each read, and what stays, is one
 * of the versions as a whole.
 */
export async function raceStep(world: World, { who, values }: StepOf<'race'>): Promise<void> {
  const { context } = world;
  const record = chosen(world, who);
  const table = fieldsOf(context.family);
  const texts = Object.keys(table).filter((member) => table[member]?.type === 'string' && !table[member]?.form);
  const members = texts.filter((member) => member !== 'id' && typeof record?.fields[member] === 'string');
  if (record === undefined || members.length < 2 || !offers(world, 'update')) return;
  await checkRead(world, record);
  const [last = ''] = members.slice(-1);
  // Both ends of the body differ, so that a version written in parts shows.
  const versions = values.map((each, index) => {
    const mark = world.serial();
    const numbers = Object.entries(bodyOf(world, each)).filter(([member]) => {
      const field = table[member];
      return field !== undefined && rangeOf(field) === undefined && !members.includes(member);
    });
    const marked = Object.entries(
      context.run.values.adaptAll(
        Object.fromEntries(members.map((member) => [member, `${context.run.prefix}${mark}${index}`])),
      ),
    );
    const { id: _, [last]: __, ...rest } = { ...record.fields, ...Object.fromEntries([...numbers, ...marked]) };
    return { ...rest, [last]: Object.fromEntries(marked)[last] };
  });
  const before = recordOf(await context.send('read', { id: record.id })) ?? {};
  const known = new Set([before, ...versions].map((fields) => versionOf(fields, members)));
  const seen: Record<string, unknown>[] = [];
  let isOpen = true;
  const look = async () => {
    for (let turn = 0; isOpen && turn < LOOKS; turn += 1) {
      const exchange = await context.send('read', { id: record.id });
      const got = isSuccess(exchange) ? recordOf(exchange) : undefined;
      if (got !== undefined) seen.push(got);
    }
  };
  const writes = versions.map((fields) =>
    context.send('update', { id: record.id, fields: { ...fields, id: record.id } }),
  );
  const written = allOf(writes).finally(() => {
    isOpen = false;
  });
  const [answers] = await Promise.all([written, ...Array.from({ length: READERS }, look)]);
  const mixed = seen.find((got) => !known.has(versionOf(got, members)));
  if (mixed !== undefined)
    raise(world, {
      requirement: 'ATOM-1',
      what: 'read during updates',
      expected: `one of ${[...known].join(', ')}`.slice(0, 300),
      observed: versionOf(mixed, members),
    });
  const done = versions.filter((_, index) => answers[index] !== undefined && isSuccess(answers[index]));
  if (done.length === 0) return;
  const stayed = await context.eventually(async () => {
    const exchange = await context.send('read', { id: record.id });
    const got = isSuccess(exchange) ? recordOf(exchange) : undefined;
    return done.find((fields) => got !== undefined && versionOf(got, members) === versionOf(fields, members));
  });
  record.fields = stayed ?? {};
  if (stayed === undefined)
    raise(world, {
      requirement: done.length === 1 ? 'PAY-U' : 'ATOM-1',
      what: 'record after updates at one time',
      expected: 'one of the versions that were sent',
      observed: 'none of them as a whole',
    });
  // Where writes show late, another of the versions may still come: the model goes on from an update of its own.
  await updateOne(world, record, { [last]: freshName(world) }, PLAIN);
  await checkWritten(world, [record], who);
}
