import { LostRecord } from '../../conformance/kit/fault.ts';
import { isCreatable, nameMember, rangeOf } from '../../conformance/kit/fields.ts';
import { createdId } from '../../conformance/kit/record/fixture.ts';
import type { Exchange } from '../../lib/client/types.ts';
import { fieldsOf } from '../../lib/contract/types.ts';
import { entriesOf, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import type { Carried, StepOf, Values } from '../draw/step.ts';
import { allOf } from '../model/at-once.ts';
import { attempt, PLAIN, refusedOnce, refusedPlain } from '../model/attempt.ts';
import { checkWritten } from '../model/look.ts';
import { freshName, type Held, nameOf, raise, takenName, type World } from '../model/world.ts';

/**
 * What a body is made of: members that are left out are undefined. Numbers differ between the records of a family, so
 * that one the sequence has used before is dropped.
 */
export function bodyOf({ context, numbers }: World, values: Values): Record<string, unknown> {
  const family = fieldsOf(context.family);
  const kept = Object.entries(values).flatMap(([member, value]) => {
    const field = family[member];
    if (field === undefined) return [];
    if (value === null) return [[member, undefined] as const];
    if (typeof value === 'number' && rangeOf(field)?.or.includes(value) !== true) {
      const key = `${member} ${value}`;
      if (numbers.has(key)) return [];
      numbers.add(key);
    }
    return [[member, value] as const];
  });
  return context.run.values.adaptAll(Object.fromEntries(kept));
}

/** Members of a body whose number asks for one to be generated: what they come to is not known. */
function generated({ context }: World, fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fieldsOf(context.family)).flatMap(([member, field]) =>
    rangeOf(field)?.or.includes(fields[member] as number) === true ? [member] : [],
  );
}

/** Reads a number that the target was asked to generate: it is one of the range. */
export async function learnGenerated(world: World, record: Held): Promise<void> {
  for (const member of generated(world, record.fields)) {
    const sent = record.fields[member];
    const field = fieldsOf(world.context.family)[member];
    const { low, high } = (field && rangeOf(field)) ?? { low: 0, high: 0 };
    const inRange = (value: unknown) => typeof value === 'number' && value >= low && value <= high;
    let shown: unknown;
    const value = await world.context.eventually(async () => {
      const exchange = await world.context.send('read', { id: record.id });
      shown = isSuccess(exchange) ? recordOf(exchange)?.[member] : undefined;
      return inRange(shown) ? (shown as number) : undefined;
    });
    record.fields = { ...record.fields, [member]: value };
    if (value === undefined && shown !== undefined)
      raise(world, {
        requirement: 'RES-SGTVAL',
        what: `${member} to be generated`,
        expected: `a number from ${low} to ${high} in place of ${sent}`,
        observed: JSON.stringify(shown),
      });
  }
}

/** Takes a created record into the model. */
export async function admit(
  world: World,
  exchange: Exchange,
  fields: Record<string, unknown>,
): Promise<Held | undefined> {
  const { context, held } = world;
  const name = String(fields[nameOf(world)] ?? '');
  let why = 'no such record';
  const found = await createdId(context, context.family.name, exchange, name).catch((fault: unknown) => {
    if (!(fault instanceof LostRecord)) throw fault;
    why = fault.message;
    return undefined;
  });
  if (found === undefined) {
    raise(world, {
      requirement: 'SVC-1',
      what: 'create',
      expected: `a record named ${name}`,
      observed: `status ${exchange.status}, and ${why}`,
    });
    return undefined;
  }
  const record: Held = { id: found.id, fields, by: 'PAY-C' };
  held.push(record);
  await learnGenerated(world, record);
  return record;
}

/** True where a record of somebody has the number, or nobody can tell. */
async function isTaken({ context }: World, member: string, value: unknown): Promise<boolean> {
  if (!context.family.filters.includes(member)) return true;
  const filters = [{ field: member, operator: 'EQ' as const, value: String(value) }];
  const entries = entriesOf(await context.send('list', { list: { filters } }));
  return entries === undefined || entries.length > 0;
}

/** A refused create: is it for a reason that the specification leaves open? */
async function refused(world: World, exchange: Exchange, fields: Record<string, unknown>): Promise<void> {
  const { context } = world;
  const plain = context.payload({ [nameOf(world)]: freshName(world) });
  const control = await context.send('create', { fields: plain });
  if (!isSuccess(control)) return refusedPlain(world, 'create', control);
  world.lessons.accepted.add('create');
  await admit(world, control, plain);
  // As long as the name that was refused: a target may know a longest one.
  const again = { ...fields, [nameOf(world)]: freshName(world).padEnd(String(fields[nameOf(world)]).length, 'a') };
  const second = await context.send('create', { fields: again });
  if (isSuccess(second)) {
    await admit(world, second, again);
    // The letters of the name are the one thing that differs.
    if (/^[\w-]+$/.test(String(fields[nameOf(world)]))) refusedOnce(world, 'create', exchange);
    return;
  }
  for (const [member, field] of Object.entries(fieldsOf(context.family))) {
    const range = rangeOf(field);
    const value = fields[member];
    if (range === undefined || typeof value !== 'number') continue;
    // The control has a number of its own: this number is the reason, where the other members are plain too.
    const alone = context.payload({ [nameOf(world)]: freshName(world), [member]: value });
    const third = await context.send('create', { fields: alone });
    if (isSuccess(third)) await admit(world, third, alone);
    else if (range.or.includes(value) || !(await isTaken(world, member, value)))
      raise(world, {
        requirement: 'RES-SGTVAL',
        what: `${member} refused`,
        expected: `${member} ${value} to be taken`,
        observed: `status ${third.status}`,
      });
  }
}

/** Creates one record; undefined where it was refused. */
async function createOne(
  world: World,
  values: Values,
  suffix: string,
  carried: Carried,
  begin = freshName(world),
): Promise<Held | undefined> {
  const { context } = world;
  let fields = context.payload({ ...bodyOf(world, values), [nameOf(world)]: takenName(world, begin, suffix) });
  const { exchange, isDone } = await attempt(world, 'create', { fields }, carried, {
    again: () => {
      // The control differs in its name alone, which is as long.
      fields = { ...fields, [nameOf(world)]: takenName(world, freshName(world).padEnd(begin.length, 'a'), suffix) };
      return { fields };
    },
    taken: (answer) => admit(world, answer, fields),
  });
  if (isDone) return admit(world, exchange, fields);
  const isBare = Object.keys(values).length === 0 && suffix === '';
  if (isBare && world.lessons.accepted.has('create')) refusedPlain(world, 'create', exchange);
  await refused(world, exchange, fields);
  return undefined;
}

/** Creates records, several at one time where there are several values. */
export async function createStep(world: World, { values, suffix, alike, carried }: StepOf<'create'>): Promise<void> {
  const other = world.held.at(-1)?.fields[nameOf(world)];
  const begin = () => (alike && typeof other === 'string' ? `${other}${world.serial()}` : freshName(world));
  const made = await allOf(values.map((each) => createOne(world, each, suffix, carried, begin())));
  await checkWritten(
    world,
    made.filter((record) => record !== undefined),
    values.length + suffix.length,
  );
}

/** Enough plain records for several pages. */
export async function fillStep(world: World, { count }: StepOf<'fill'>): Promise<void> {
  for (let done = 0; done < count && world.held.length < 40; done += 4)
    await allOf(Array.from({ length: Math.min(4, count - done) }, () => createOne(world, {}, '', PLAIN)));
}

/** Creates a record under the name of one that was removed. */
export async function reuseStep(world: World, { values }: StepOf<'reuse'>): Promise<void> {
  const { context, gone } = world;
  const old = gone.findLast(({ name }) => !world.held.some(({ fields }) => fields[nameOf(world)] === name));
  if (old === undefined || old.name === '') return;
  const fields = context.payload({ ...bodyOf(world, values), [nameOf(world)]: old.name });
  const exchange = await context.send('create', { fields });
  if (!isSuccess(exchange)) {
    // The same record under a fresh name tells whether the name is the reason.
    const fresh = { ...fields, [nameOf(world)]: freshName(world) };
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
  if (record !== undefined) await checkWritten(world, [record], 0);
}

/** Makes a record of the same name in another family: writes to the first leave it alone. */
export async function twinStep(world: World, { family: index }: StepOf<'twin'>): Promise<void> {
  const { context, twins, held } = world;
  const { table, family } = context;
  const name = held.at(-1)?.fields[nameOf(world)];
  const others = Object.values(table).filter((each) => each.name !== family.name && isCreatable(each));
  const other = others[index % Math.max(1, others.length)];
  const member = other === undefined ? undefined : nameMember(other);
  if (other === undefined || member === undefined || typeof name !== 'string') return;
  const fields = context.payload({ [member]: name }, other.name);
  const exchange = await context.send('create', { fields }, other.name);
  // Whether two families may use one name is not shown.
  if (!isSuccess(exchange)) return;
  const made = await createdId(context, other.name, exchange, name);
  if (made !== undefined) twins.push({ family: other.name, id: made.id, fields: { [member]: name } });
}
