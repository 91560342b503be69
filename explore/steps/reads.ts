import { shown } from '../../conformance/kit/record/record-reads.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { idOf, isObject, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { walkList } from '../../lib/wire/list-walk.ts';
import type { StepOf } from '../draw/step.ts';
import { attempt, isExcused, refusedPlain } from '../model/attempt.ts';
import { checkRead } from '../model/look.ts';
import { settled } from '../model/settled.ts';
import { chosen, type Held, nameOf, offers, raise, viewOf, type World } from '../model/world.ts';

/** Reads a record with what the request carries: what the answer holds is compared, whatever it carries. */
export async function readStep(world: World, { who, asked, view, carried }: StepOf<'read'>): Promise<void> {
  const record = chosen(world, who);
  if (record === undefined || !offers(world, 'read')) return;
  const on = view ? viewOf(world) : undefined;
  if (on !== undefined) return checkRead(world, record, {}, on);
  const input = { id: record.id, ...(asked === 'xml' ? { headers: { accept: 'application/xml' } } : {}) };
  const { exchange, isDone, sent } = await attempt(world, 'read', input, carried);
  if (isDone) world.lessons.accepted.add('read');
  else await checkRead(world, record);
  if (!isDone && !isSuccess(await world.context.send('read', { id: record.id }))) refusedPlain(world, 'read', exchange);
  const got = isSuccess(exchange) ? recordOf(exchange) : undefined;
  if (got !== undefined && idOf(got) !== record.id)
    raise(world, { requirement: 'RES-ID', what: 'read', expected: record.id, observed: shown(idOf(got)) });
  await checkRead(world, record, isDone ? sent : input);
}

/** Reads a record by its name: it is the one that has it. */
export async function namedStep(world: World, { who }: StepOf<'named'>): Promise<void> {
  const { context } = world;
  const record = chosen(world, who);
  const name = record?.fields[nameOf(world)];
  if (record === undefined || typeof name !== 'string' || name === '') return;
  const found = await settled(world, async () => {
    const exchange = await context.send('readByName', { name });
    if (!isSuccess(exchange))
      return {
        requirement: 'SPC-NODE',
        what: 'read by name',
        expected: `the record named ${name}`,
        observed: `status ${exchange.status}`,
      };
    const got = recordOf(exchange);
    for (const member of ['id', 'name', ...(vendorFacts(context.family.name).identifying ?? [])]) {
      const known = member === 'id' ? record.id : record.fields[member];
      if (got === undefined || known === undefined || shown(got[member]) === shown(known)) continue;
      return {
        requirement: 'SPC-NODE',
        what: 'read by name',
        expected: `${member} ${shown(known)}`,
        observed: shown(got[member]),
      };
    }
    return undefined;
  });
  if (found !== undefined) raise(world, found);
}

/** Asks for the version information: it is served, and is no record. */
export async function versionStep(world: World, { carried }: StepOf<'version'>): Promise<void> {
  const { exchange, isDone } = await attempt(world, 'version', {}, carried);
  if (!isDone) {
    const again = await world.context.send('version');
    if (isSuccess(again) || isExcused(again)) return;
    raise(world, {
      requirement: `OP-${world.context.family.name}-V`,
      what: 'version information',
      expected: 'version information',
      observed: `status ${exchange.status}`,
    });
    return;
  }
  world.lessons.accepted.add('version');
  const id = isObject(exchange.json) ? idOf(recordOf(exchange)) : undefined;
  if (id !== undefined)
    raise(world, { requirement: 'SPC-VER', what: 'version information', expected: 'no record', observed: id });
}

/** Records of others that one sequence works with at most. */
const MOST = 24;

/** The records that others keep in a family that is only read, as they are now. */
export async function theirRecords({ context }: World): Promise<readonly Held[]> {
  const walk = await walkList(
    { list: (input) => context.send('list', input), follow: (href) => context.follow(href) },
    { list: { size: 20 } },
    { pages: 2, anySize: true },
  );
  const held = await Promise.all(
    walk.items.slice(0, MOST).map(async ({ id, record }): Promise<Held | undefined> => {
      if (!context.family.ops.includes('read')) return { id, fields: { ...record }, by: 'PAY-C' };
      const exchange = await context.send('read', { id });
      const got = isSuccess(exchange) ? recordOf(exchange) : undefined;
      return got === undefined ? undefined : { id, fields: { ...got }, by: 'PAY-C' };
    }),
  );
  return held.filter((record) => record !== undefined);
}
