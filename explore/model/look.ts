import { XMLParser } from 'fast-xml-parser';
import { holds } from '../../conformance/kit/contains-subset.ts';
import { shown } from '../../conformance/kit/record-reads.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { idOf, isObject, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { pageOf, walkList } from '../../lib/wire/list-walk.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { Difference } from './difference.ts';
import { comparable, type Held, nameOf, offers, raise, settled, type World } from './world.ts';

type Found = Omit<Difference, 'family'>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  htmlEntities: true,
});

/** Members of an XML answer with texts for values; undefined where it is no XML. */
function xmlRecord(body: string): Readonly<Record<string, unknown>> | undefined {
  if (!body.trimStart().startsWith('<')) return undefined;
  try {
    const [root] = Object.values(parser.parse(body) as Record<string, unknown>);
    return isObject(root) ? root : undefined;
  } catch {
    return undefined;
  }
}

/** True where the value is the one that was sent; forms may differ, contents may not. */
function isSame(sent: unknown, got: unknown, isText: boolean): boolean {
  if (typeof sent === 'object') return isText || holds(got, sent);
  if (isText || typeof sent === 'boolean') return String(got) === String(sent);
  return typeof sent === 'number' ? Number(got) === sent : got === sent;
}

/** Only blanks at the ends of a text differ: nothing says that they count. */
const onlyTrimmed = (sent: unknown, got: unknown) =>
  typeof sent === 'string' && typeof got === 'string' && sent !== got && sent.trim() === got.trim();

/** The first member of a record that is not as the model has it. */
function recordDifference(
  world: World,
  held: Held,
  got: Readonly<Record<string, unknown>>,
  where: string,
  isText = false,
): Found | undefined {
  for (const [member, sent] of comparable(world, held.fields)) {
    const value = got[member];
    if (isSame(sent, value, isText) || onlyTrimmed(sent, value)) continue;
    return {
      requirement: where === 'read' ? held.by : where === 'read in XML' ? 'CNV-XML' : 'LIST-GET',
      what: `${member} by ${where}`,
      expected: `${member} ${shown(sent)}`,
      observed: shown(value),
    };
  }
  return undefined;
}

/** Reads a record and holds it against the model. */
export async function checkRead(world: World, held: Held, input: RequestInput = {}): Promise<void> {
  if (!offers(world, 'read')) return;
  const asked = /xml/.test(input.headers?.accept ?? '') ? 'read in XML' : 'read';
  const found = await settled(world, async () => {
    const exchange = await world.context.send('read', { ...input, id: held.id });
    if (!isSuccess(exchange)) {
      return {
        requirement: 'SVC-1',
        what: asked,
        expected: `the record ${held.id}`,
        observed: `status ${exchange.status}`,
      };
    }
    const json = recordOf(exchange);
    if (json !== undefined) {
      if (idOf(json) !== held.id)
        return { requirement: 'RES-ID', what: asked, expected: held.id, observed: shown(idOf(json)) };
      return recordDifference(world, held, json, asked);
    }
    const xml = xmlRecord(exchange.body);
    return xml === undefined ? undefined : recordDifference(world, held, xml, asked, true);
  });
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

/** Lists everything, and holds it against the model: what is there is listed once, what is gone is not. */
async function checkListed(world: World, family = world.context.family.name): Promise<void> {
  const { context, held, gone } = world;
  const found = await settled(world, async () => {
    const requester = {
      list: (input: RequestInput) => context.send('list', input, family),
      follow: (href: string) => context.follow(href, family),
    };
    const walk = await walkList(requester, { list: { size: 20 } });
    if (walk.refused !== undefined || walk.cut !== undefined) return undefined;
    const where = family === context.family.name ? 'list' : `list of ${family}`;
    for (const each of held) {
      const { id } = each;
      const items = walk.items.filter((item) => item.id === id);
      if (items.length !== 1)
        return { requirement: 'LST-NEXT', what: where, expected: `${id} once`, observed: `${items.length} times` };
      const [item] = items;
      const named = item === undefined ? undefined : entryDifference(world, each, item.record, where);
      if (named !== undefined) return named;
    }
    const ghost = gone.find(({ id }) => walk.ids.includes(id));
    return ghost === undefined
      ? undefined
      : {
          requirement: 'SVC-1',
          what: `${where} after a delete`,
          expected: 'no removed record',
          observed: `the record ${ghost.id}`,
        };
  });
  if (found !== undefined) raise(world, found);
}

/** A list entry may leave members out; those that it has are those of the record. */
export function entryDifference(
  world: World,
  held: Held,
  entry: Readonly<Record<string, unknown>>,
  where: string,
): Found | undefined {
  const present = Object.fromEntries(
    Object.entries(held.fields).filter(([member]) => entry[member] !== undefined && entry[member] !== null),
  );
  return recordDifference(world, { ...held, fields: present }, entry, where);
}

/** Finds a record under its name where the family filters by one. */
export async function checkFound(world: World, held: Held): Promise<void> {
  const { context } = world;
  const member = nameOf(world);
  const field = context.family.filters.find((each) => memberOf(context.family.name, each) === member);
  const name = String(held.fields[member] ?? '');
  if (field === undefined || name === '') return;
  const filters = [{ field, operator: 'EQ' as const, value: name }];
  const found = await settled(world, async () => {
    const page = pageOf(await context.send('list', { list: { filters } }));
    if (page === undefined || page.items.some(({ id }) => id === held.id)) return undefined;
    return {
      requirement: 'FOP-EQ',
      what: `${field}.EQ`,
      expected: `${held.id} under ${shown(name)}`,
      observed: shown(page.items.map(({ id }) => id)),
    };
  });
  if (found !== undefined) raise(world, found);
}

/** Looks at everything the model has, several records at a time over several connections. */
export async function checkAll(world: World): Promise<void> {
  const { context, held, gone } = world;
  await Promise.all(held.map((each) => checkRead(world, each)));
  for (const { id } of gone.slice(-2)) await checkGone(world, id);
  await checkListed(world);
  const views = Object.keys(context.table).filter((name) => context.table[name]?.viewOf?.includes(context.family.name));
  for (const view of views) await checkListed(world, view);
}
