import { holds } from '../../conformance/kit/contains-subset.ts';
import { shown } from '../../conformance/kit/record/record-reads.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { idOf, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { type ListWalk, walkList } from '../../lib/wire/list-walk.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import { allOf } from './at-once.ts';
import type { Difference } from './difference.ts';
import { checkFound } from './found.ts';
import { settled } from './settled.ts';
import { comparable, type Held, offers, raise, viewOf, type World } from './world.ts';
import { xmlRecord } from './xml-record.ts';

type Found = Omit<Difference, 'family'>;

/** True where the value is the one that was sent; in XML all values are texts. */
function isSame(sent: unknown, got: unknown, isText: boolean): boolean {
  if (typeof sent === 'object') return isText || holds(got, sent);
  return isText ? String(got) === String(sent) : got === sent;
}

/** Only blanks at the ends of a text differ: nothing says that they count. */
const onlyTrimmed = (sent: unknown, got: unknown) =>
  typeof sent === 'string' && typeof got === 'string' && sent !== got && sent.trim() === got.trim();

/** Where a record is looked at, and what a difference there breaks. */
interface Window {
  readonly name: 'read' | 'read in XML' | 'list' | 'view';
  readonly requirement?: string;
}

/** The first member of a record that is not as the model has it. */
function recordDifference(
  world: World,
  held: Held,
  got: Readonly<Record<string, unknown>>,
  { name, requirement = held.by }: Window,
): Found | undefined {
  const isText = name === 'read in XML';
  // Others may write to their records: what says which record it is has to stay.
  const steady = ['name', ...(vendorFacts(world.context.family.name).identifying ?? [])];
  for (const [member, sent] of comparable(world, held.fields)) {
    if (world.areTheirs && !steady.includes(member)) continue;
    const value = got[member];
    if (isSame(sent, value, isText) || onlyTrimmed(sent, value)) continue;
    return {
      requirement: !isText && String(sent) === String(value) ? 'RES-TYPE' : requirement,
      what: `${member} by ${name}`,
      expected: `${member} ${shown(sent)}`,
      observed: shown(value),
    };
  }
  return undefined;
}

/** A list entry, and a record in a view, may leave members out; those that it has are those of the record. */
export function entryDifference(
  world: World,
  held: Held,
  entry: Readonly<Record<string, unknown>>,
  window: Window,
): Found | undefined {
  const present = Object.fromEntries(
    Object.entries(held.fields).filter(([member]) => entry[member] !== undefined && entry[member] !== null),
  );
  return recordDifference(world, { ...held, fields: present }, entry, window);
}

async function readDifference(world: World, held: Held, input: RequestInput, on: string): Promise<Found | undefined> {
  const isView = on !== world.context.family.name;
  const window: Window = isView
    ? { name: 'view', requirement: 'VIEW-PORTAL' }
    : /xml/.test(input.headers?.accept ?? '')
      ? { name: 'read in XML', requirement: 'CNV-XML' }
      : { name: 'read' };
  const exchange = await world.context.send('read', { ...input, id: held.id }, on);
  if (!isSuccess(exchange)) {
    return {
      requirement: isView ? 'VIEW-PORTAL' : 'SVC-1',
      what: window.name,
      expected: `the record ${held.id}`,
      observed: `status ${exchange.status}`,
    };
  }
  const json = recordOf(exchange);
  if (json !== undefined) {
    const id = json['id'];
    if (id !== held.id)
      return { requirement: 'RES-ID', what: window.name, expected: shown(held.id), observed: shown(id) };
    return isView ? entryDifference(world, held, json, window) : recordDifference(world, held, json, window);
  }
  const xml = xmlRecord(exchange.body);
  return xml === undefined ? undefined : recordDifference(world, held, xml, { ...window, name: 'read in XML' });
}

/** Reads a record, by its family or by a view of it, and holds it against the model. */
export async function checkRead(
  world: World,
  held: Held,
  input: RequestInput = {},
  on = world.context.family.name,
): Promise<void> {
  if (!offers(world, 'read')) return;
  const found = await settled(world, () => readDifference(world, held, input, on));
  if (found !== undefined) raise(world, found);
}

/** A removed record is not shown by its id. */
export async function checkGone(world: World, id: string): Promise<void> {
  if (!offers(world, 'read')) return;
  const found = await settled(world, async () => {
    const exchange = await world.context.send('read', { id });
    const isThere = isSuccess(exchange) && idOf(recordOf(exchange) ?? {}) === id;
    return isThere
      ? { requirement: 'SVC-1', what: 'read of a removed record', expected: 'no record', observed: `the record ${id}` }
      : undefined;
  });
  if (found !== undefined) raise(world, found);
}

/** A record that a list without an end shows again and again. */
export function repeated({ held }: World, { ids }: Pick<ListWalk, 'ids'>): Found | undefined {
  const twice = held.find(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id));
  return twice === undefined
    ? undefined
    : { requirement: 'LST-NEXT', what: 'list', expected: `${twice.id} once`, observed: 'on several pages' };
}

/** Lists everything, and holds it against the model: what is there is listed once, what is gone is not. */
async function checkListed(world: World, family = world.context.family.name): Promise<void> {
  const { context, held, gone } = world;
  const window: Window =
    family === context.family.name
      ? { name: 'list', requirement: 'LIST-GET' }
      : { name: 'view', requirement: 'VIEW-PORTAL' };
  const found = await settled(world, async () => {
    const requester = {
      list: (input: RequestInput) => context.send('list', input, family),
      follow: (href: string) => context.follow(href, family),
    };
    const walk = await walkList(requester, { list: { size: 20 } }, { anySize: true });
    if (walk.refused !== undefined) return undefined;
    if (walk.cut === 'length') return repeated(world, walk);
    for (const each of held) {
      const { id } = each;
      const items = walk.items.filter((item) => item.id === id);
      if (items.length !== 1)
        return {
          requirement: items.length === 0 && window.name === 'view' ? 'VIEW-PORTAL' : 'LST-NEXT',
          what: window.name,
          expected: `${id} once`,
          observed: `${items.length} times`,
        };
      const [item] = items;
      const named = item === undefined ? undefined : entryDifference(world, each, item.record, window);
      if (named !== undefined) return named;
    }
    const ghost = gone.find(({ id }) => walk.ids.includes(id));
    return ghost === undefined
      ? undefined
      : {
          requirement: 'SVC-1',
          what: `${window.name} after a delete`,
          expected: 'no removed record',
          observed: `the record ${ghost.id}`,
        };
  });
  if (found !== undefined) raise(world, found);
}

/** Records of other families stay as they are. */
async function checkTwins(world: World): Promise<void> {
  for (const { family, id, fields } of world.twins) {
    const found = await settled(world, async () => {
      const exchange = await world.context.send('read', { id }, family);
      const record = isSuccess(exchange) ? recordOf(exchange) : undefined;
      if (
        record !== undefined &&
        idOf(record) === id &&
        Object.entries(fields).every(([member, sent]) => record[member] === sent)
      )
        return undefined;
      return {
        requirement: 'SVC-1',
        what: 'record of the same name in another family',
        expected: `the record ${id} of ${family}`,
        observed: record === undefined ? `status ${exchange.status}` : shown(record),
      };
    });
    if (found !== undefined) raise(world, found);
  }
}

/** Looks at one time, beginning with the given one; what is met is the first difference by the order of the looks. */
async function lookAtOnce(looks: readonly (() => Promise<void>)[], first = 0): Promise<void> {
  const start = first % Math.max(1, looks.length);
  const told: Promise<void>[] = [];
  for (let turn = 0; turn < looks.length; turn += 1) {
    const index = (start + turn) % looks.length;
    const look = looks[index];
    if (look !== undefined) told[index] = look();
  }
  await allOf(told);
}

/**
 * Looks at written records and at a neighbor, all at one time, so that each look takes another connection than the
 * write; `turn` says which look goes first, over the connection of the write.
 */
export async function checkWritten(world: World, written: readonly Held[], turn: number): Promise<void> {
  const { held } = world;
  const neighbor = held[(turn + written.length) % Math.max(1, held.length)];
  const [first] = written;
  const looks: (() => Promise<void>)[] = [
    ...written.map((record) => () => checkRead(world, record)),
    ...(first === undefined ? [] : [() => checkFound(world, first)]),
    ...(neighbor === undefined || written.includes(neighbor) ? [] : [() => checkRead(world, neighbor)]),
  ];
  await lookAtOnce(looks, turn);
}

/** Looks at everything the model has, several records at a time over several connections. */
export async function checkAll(world: World): Promise<void> {
  const { held, gone } = world;
  await lookAtOnce(held.map((each) => () => checkRead(world, each)));
  for (const { id } of gone.slice(-2)) await checkGone(world, id);
  await checkListed(world);
  await checkTwins(world);
  const view = viewOf(world);
  if (view !== undefined) await checkListed(world, view);
}
