import { createdId } from '../../conformance/kit/fixture.ts';
import type { Exchange } from '../../lib/client/types.ts';
import { fieldsOf } from '../../lib/contract/types.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import type { Carried, Step, Values } from '../draw/step.ts';
import { checkAll, checkFound, checkGone, checkRead } from '../model/look.ts';
import { attempt, type Held, nameOf, offers, raise, refusedNow, type World } from '../model/world.ts';

type StepOf<K extends Step['kind']> = Extract<Step, { readonly kind: K }>;

/** A request that carries nothing optional. */
const PLAIN: Carried = { sent: 'json', mediaType: false, csrf: false, extra: false };

/** Numbers differ between the records of a family: one that the sequence has used before is left out. */
function free({ context, numbers }: World, values: Values): Values {
  const family = fieldsOf(context.family);
  const kept = Object.entries(values).filter(([member, value]) => {
    if (typeof value !== 'number' || family[member] === undefined) return true;
    const key = `${member} ${value}`;
    if (numbers.has(key)) return false;
    numbers.add(key);
    return true;
  });
  return Object.fromEntries(kept);
}

/** Takes a created record into the model and looks at it. */
async function admit(world: World, exchange: Exchange, fields: Record<string, unknown>): Promise<Held | undefined> {
  const { context, held } = world;
  const name = String(fields[nameOf(world)] ?? '');
  const found = await createdId(context, context.family.name, exchange, name);
  if (found === undefined) {
    raise(world, {
      requirement: 'SVC-1',
      what: 'create',
      expected: `a record named ${name}`,
      observed: `status ${exchange.status}, and no such record`,
    });
    return undefined;
  }
  const record: Held = { id: found.id, fields, by: 'PAY-C' };
  held.push(record);
  return record;
}

function payload(world: World, values: Values, suffix: string): Record<string, unknown> {
  const { context } = world;
  return context.payload({ ...values, [nameOf(world)]: `${context.run.prefix}${world.serial()}${suffix}` });
}

async function createOne(world: World, values: Values, suffix: string, carried: Carried): Promise<Held | undefined> {
  let fields = payload(world, free(world, values), suffix);
  const isPlain = Object.keys(values).length === 0 && suffix === '' && carried === PLAIN;
  const { exchange, isDone } = await attempt(world, 'create', { fields }, carried, () => {
    // The control differs in its name alone.
    fields = { ...fields, [nameOf(world)]: `${world.context.run.prefix}${world.serial()}${suffix}` };
    return { fields };
  });
  if (!isDone) {
    if (isPlain) refusedNow(world, 'create', exchange);
    return undefined;
  }
  if (isPlain) world.lessons.accepted.add('create');
  return admit(world, exchange, fields);
}

/** Creates records, several at one time where there are several values. */
export async function createStep(world: World, { values, suffix, carried }: StepOf<'create'>): Promise<void> {
  const made = await Promise.all(values.map((each) => createOne(world, each, suffix, carried)));
  const records = made.filter((record) => record !== undefined);
  await Promise.all(records.map((record) => checkRead(world, record)));
  const [first] = records;
  if (first !== undefined) await checkFound(world, first);
}

/** Enough plain records for several pages. */
export async function fillStep(world: World, { count }: StepOf<'fill'>): Promise<void> {
  for (let done = 0; done < count && world.held.length < 40; done += 4) {
    await Promise.all(Array.from({ length: Math.min(4, count - done) }, () => createOne(world, {}, '', PLAIN)));
  }
}

const chosen = ({ held }: World, who: number): Held | undefined => held[who % Math.max(1, held.length)];

async function updateOne(world: World, record: Held, changes: Values, carried: Carried): Promise<boolean> {
  const fields = { ...record.fields, ...changes };
  const { exchange, isDone } = await attempt(
    world,
    'update',
    { id: record.id, fields: { ...fields, id: record.id } },
    carried,
  );
  if (isDone) {
    record.fields = fields;
    record.by = 'PAY-U';
    return true;
  }
  if (Object.keys(changes).length === 0) refusedNow(world, 'update', exchange);
  return false;
}

/** Updates one or several records at one time, and looks at them, at their neighbors and at what is filtered by name. */
export async function updateStep(world: World, { who, values, carried }: StepOf<'update'>): Promise<void> {
  const { held } = world;
  const records = [...new Set(values.map((_, index) => chosen(world, who + index)))].filter(
    (each) => each !== undefined,
  );
  await Promise.all(
    records.map((record, index) => updateOne(world, record, free(world, values[index] ?? {}), carried)),
  );
  await Promise.all(records.map((record) => checkRead(world, record)));
  const neighbor = held[(who + records.length) % Math.max(1, held.length)];
  if (neighbor !== undefined) await checkRead(world, neighbor);
  const [first] = records;
  if (first !== undefined) await checkFound(world, first);
}

/** Gives a record another name: it is found under the new one, and not under the old one. */
export async function renameStep(world: World, { who, suffix, carried }: StepOf<'rename'>): Promise<void> {
  const record = chosen(world, who);
  if (record === undefined) return;
  const name = `${world.context.run.prefix}${world.serial()}${suffix}`;
  await updateOne(world, record, { [nameOf(world)]: name }, carried);
  await checkRead(world, record);
  await checkFound(world, record);
}

/** Removes a record: it is gone, and its neighbors stay. */
export async function deleteStep(world: World, { who, carried }: StepOf<'delete'>): Promise<void> {
  const { held, gone } = world;
  const record = chosen(world, who);
  if (record === undefined) return;
  const { exchange, isDone } = await attempt(world, 'delete', { id: record.id }, carried);
  if (!isDone) return refusedNow(world, 'delete', exchange);
  world.lessons.accepted.add('delete');
  held.splice(held.indexOf(record), 1);
  gone.push({ id: record.id, name: String(record.fields[nameOf(world)] ?? '') });
  await checkGone(world, record.id);
  const neighbor = chosen(world, who);
  if (neighbor !== undefined) await checkRead(world, neighbor);
}

/** Creates a record under the name of one that was removed. */
export async function reuseStep(world: World, { values }: StepOf<'reuse'>): Promise<void> {
  const { context, gone } = world;
  const old = gone.findLast(({ name }) => !world.held.some(({ fields }) => fields[nameOf(world)] === name));
  if (old === undefined || old.name === '') return;
  const fields = context.payload({ ...free(world, values), [nameOf(world)]: old.name });
  const exchange = await context.send('create', { fields });
  if (!isSuccess(exchange)) {
    // The same record under a fresh name tells whether the name is the reason.
    const fresh = { ...fields, [nameOf(world)]: `${context.run.prefix}${world.serial()}` };
    const control = await context.send('create', { fields: fresh });
    if (!isSuccess(control)) return;
    await admit(world, control, fresh);
    raise(world, {
      requirement: `OP-${context.family.name}-C`,
      what: 'create under a name used before',
      expected: 'the create to be taken',
      observed: `status ${exchange.status}`,
    });
    return;
  }
  const record = await admit(world, exchange, fields);
  if (record !== undefined) await checkRead(world, record);
}

/** Sends a body that the tables forbid: where it is refused, it changes nothing. */
export async function refuseStep(world: World, { who, on }: StepOf<'refuse'>): Promise<void> {
  const { context } = world;
  const ranged = Object.entries(fieldsOf(context.family)).find(([, { type }]) => typeof type === 'object');
  const wrong =
    ranged === undefined
      ? { [`no${world.serial()}`]: 'unlisted' }
      : { [ranged[0]]: typeof ranged[1].type === 'object' && 'range' in ranged[1].type ? 70_000 : 'UNLISTED' };
  const record = chosen(world, who);
  const description = world.context.run.prefix;
  const name = `${context.run.prefix}${world.serial()}`;
  if (on === 'update' && offers(world, 'update') && record !== undefined) {
    const exchange = await context.send('update', {
      id: record.id,
      fields: { ...record.fields, description, ...wrong, id: record.id },
    });
    if (isSuccess(exchange)) record.fields = {};
    else await checkRead(world, record);
    return;
  }
  const exchange = await context.send('create', { fields: context.payload({ ...wrong, [nameOf(world)]: name }) });
  if (isSuccess(exchange)) {
    const made = await createdId(context, context.family.name, exchange, name);
    if (made !== undefined) world.held.push({ id: made.id, fields: {}, by: 'PAY-C' });
  }
}

/** Asks for a removed record: nothing happens to the others. */
export async function goneStep(world: World, { op }: StepOf<'gone'>): Promise<void> {
  const { context, gone, held } = world;
  const old = gone.at(-1);
  if (old === undefined || !offers(world, op)) return;
  const fields = { ...(held[0]?.fields ?? {}), [nameOf(world)]: `${context.run.prefix}${world.serial()}`, id: old.id };
  await context.send(op, { id: old.id, ...(op === 'update' ? { fields } : {}) });
  await checkAll(world);
}
