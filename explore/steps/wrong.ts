import { rangeOf } from '../../conformance/kit/fields.ts';
import { takeUp } from '../../conformance/kit/record/finder.ts';
import { createdId } from '../../conformance/kit/record/fixture.ts';
import { OPS, PATH_PREFIX } from '../../lib/contract/operations.ts';
import { fieldsOf } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { isSuccess, recordOf } from '../../lib/wire/answer.ts';
import type { StepOf, Wrong } from '../draw/step.ts';
import { checkAll, checkRead } from '../model/look.ts';
import { chosen, freshName, type Held, nameOf, offers, raise, viewOf, type World } from '../model/world.ts';

/** Members of a body that the tables forbid, and what they break where they are stored. */
interface Forbidden {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly root?: string;
  readonly requirement?: string;
}

/** A body that is wrong in one thing; undefined where the family cannot have it. */
function forbidden(world: World, wrong: Wrong, other: boolean): Forbidden | undefined {
  const { family, table } = world.context;
  const fields = Object.entries(fieldsOf(family));
  if (wrong === 'member') return { fields: { [`no${world.serial()}`]: 'unlisted' } };
  if (wrong === 'root') {
    const roots = Object.values(table).flatMap(({ roots }) => roots.resource ?? []);
    const root = roots.find((each) => each !== family.roots.resource);
    return root === undefined ? undefined : { fields: {}, root, requirement: 'RES-ROOT' };
  }
  for (const [member, field] of fields) {
    const range = rangeOf(field);
    if (wrong === 'range' && range !== undefined)
      return { fields: { [member]: other ? range.high + 1 : range.low - 1 }, requirement: 'LIM-SGT' };
    if (wrong === 'listed' && typeof field.type === 'object' && 'oneOf' in field.type)
      return { fields: { [member]: 'UNLISTED' }, requirement: 'RES-PTYPE' };
  }
  return undefined;
}

/** Raises where a record holds what no record may hold. */
async function mustNotHold(world: World, id: string, { fields, requirement }: Forbidden): Promise<void> {
  if (requirement === undefined) return;
  const exchange = await world.context.send('read', { id });
  const record = isSuccess(exchange) ? recordOf(exchange) : undefined;
  for (const [member, value] of Object.entries(fields)) {
    if (record?.[member] !== value) continue;
    raise(world, {
      requirement,
      what: `${member} outside its values`,
      expected: `no record with ${member} ${value}`,
      observed: `the record ${id}`,
    });
  }
}

async function createWrong(world: World, wrong: Forbidden): Promise<void> {
  const { context } = world;
  const name = freshName(world);
  const root = defined({ root: wrong.root });
  const fields = context.payload({ ...wrong.fields, [nameOf(world)]: name });
  const exchange = await context.send('create', { fields, ...root });
  if (isSuccess(exchange)) {
    const made = await createdId(context, context.family.name, exchange, name);
    if (made === undefined) return;
    world.held.push({ id: made.id, fields: { [nameOf(world)]: name }, by: 'PAY-C' });
    if (wrong.root !== undefined)
      raise(world, {
        requirement: 'RES-ROOT',
        what: 'create under the root key of another family',
        expected: 'no record',
        observed: `the record ${made.id}`,
      });
    return mustNotHold(world, made.id, wrong);
  }
  const left = await takeUp(context, context.family.name, name);
  if (left.length > 0)
    raise(world, {
      requirement: 'NEG-BODY',
      what: 'refused create',
      expected: 'no record',
      observed: `status ${exchange.status}, and the record ${left[0]}`,
    });
}

async function updateWrong(world: World, record: Held, wrong: Forbidden): Promise<void> {
  const { context } = world;
  const root = defined({ root: wrong.root });
  const fields = { ...record.fields, ...wrong.fields, [nameOf(world)]: freshName(world), id: record.id };
  const exchange = await context.send('update', { id: record.id, fields, ...root });
  if (!isSuccess(exchange)) return checkRead(world, record);
  await mustNotHold(world, record.id, wrong);
  // What an update that should not have been taken stored is not known.
  const { id: _, ...sent } = fields;
  record.fields = Object.fromEntries(Object.keys(sent).map((member) => [member, undefined]));
}

/** Sends a body that the tables forbid: where it is refused, it changes nothing, and nothing forbidden is ever stored. */
export async function refuseStep(world: World, { who, on, wrong }: StepOf<'refuse'>): Promise<void> {
  const body = forbidden(world, wrong, who % 2 === 0);
  if (body === undefined) return;
  const record = chosen(world, who);
  if (on === 'create') return createWrong(world, body);
  if (offers(world, 'update') && record !== undefined) await updateWrong(world, record, body);
}

/** Writes to a record by the path of a view, which changes nothing. */
export async function throughViewStep(world: World, { who, op }: StepOf<'through-view'>): Promise<void> {
  const { context } = world;
  const view = viewOf(world);
  const record = chosen(world, who);
  const root = context.family.roots.resource;
  if (view === undefined || record === undefined || root === undefined) return;
  const fields = { ...record.fields, [nameOf(world)]: freshName(world), id: record.id };
  const body = op === 'update' ? { body: JSON.stringify({ [root]: fields }) } : {};
  await context.raw({
    ...{ family: view, op, method: OPS[op].method, id: record.id, ...body },
    path: `${PATH_PREFIX}/${view}/${encodeURIComponent(record.id)}`,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
  });
  await checkAll(world);
}
