import type { Exchange } from '../../../../lib/client/types.ts';
import { fieldsOf, hasOp, type Op } from '../../../../lib/contract/types.ts';
import { defined } from '../../../../lib/defined.ts';
import { isForbidden, isSuccess, type JsonObject } from '../../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../../lib/wire/request.ts';
import { mustDecide } from '../../../kit/answer.ts';
import { isServerFilled, nameMember, otherListed, rangeOf } from '../../../kit/fields.ts';
import { createdId } from '../../../kit/record/fixture.ts';
import { denseTexts, type Likeness, LOOK_ALIKES, longText, plainText } from '../world/texts.ts';
import { truthOf } from '../world/truth.ts';
import { isPointer, textMembers } from '../world/wanted.ts';
import type { World } from '../world/world.ts';

/** A record as the writes so far left it. */
export interface Held {
  readonly id: string;
  readonly name: string;
  /** What its last write sent; nothing is known of a record without. */
  readonly fields: JsonObject;
  /** Form of its last write: nested members sent in XML come back without their types. */
  readonly form: 'json' | 'xml';
  readonly isLive: boolean;
  /** What its name looks like: not the beginning of the survey's names, so that no list selects it by that. */
  readonly likeness?: Likeness;
}

/** All records that the writes of one family are about. */
export interface Chronicle {
  readonly world: World;
  readonly held: Map<string, Held>;
  /** Names that removed records had, to be used again. */
  readonly freed: string[];
  /** What the target was seen not to take, so that no request carries it again. */
  readonly refuses: Set<'csrf' | 'mediaType' | 'nested xml' | 'xml' | 'another listed value'>;
  serial: number;
  /** Names that were given in each form, so that each form carries every kind of them. */
  readonly names: { json: number; xml: number };
}

const OPEN = new WeakMap<World, Chronicle>();

/** The chronicle of a world: begun with its records, and gone on with by every part of the survey. */
export function chronicleOf(world: World): Chronicle {
  const known = OPEN.get(world) ?? openChronicle(world);
  OPEN.set(world, known);
  return known;
}

function openChronicle(world: World): Chronicle {
  const own = world.records.filter(({ home }) => home === world.family.name);
  const name = nameMember(world.family) ?? 'name';
  const held = own.map((record): [string, Held] => {
    const fields = truthOf(world, record);
    return [record.id, { id: record.id, name: String(fields[name]), fields, form: 'json', isLive: true }];
  });
  return { world, held: new Map(held), freed: [], refuses: new Set(), serial: 0, names: { json: 0, xml: 0 } };
}

/** Values for every member that a write may choose, others each time. */
export function freshFields(
  chronicle: Chronicle,
  name?: string,
  form: 'json' | 'xml' = 'json',
): Record<string, unknown> {
  const { world } = chronicle;
  const { family, start, scope, takesAnyName, context } = world;
  const { values } = context.run;
  const turn = chronicle.serial;
  chronicle.serial += 1;
  const own = `${start}w${turn.toString(36)}`;
  const named = chronicle.names[form];
  if (name === undefined) chronicle.names[form] += 1;
  const texts = [longText, (head: string) => denseTexts(head)[0] ?? '', (head: string) => head + plainText(turn)];
  const textOf = (member: string, at: number): string => {
    if (member === nameMember(family)) {
      const kind = texts[named % texts.length] as (head: string) => string;
      const fresh = kind(own);
      return name ?? (takesAnyName && values.takes(member, fresh) ? fresh : own);
    }
    if (isPointer(member)) return (turn >> 1) % 2 === 1 ? longText(own) : (denseTexts(own)[0] ?? '');
    const kinds = [...texts, () => LOOK_ALIKES[turn % LOOK_ALIKES.length] ?? ''];
    return (kinds[(turn + at) % kinds.length] as (head: string) => string)(isPointer(member) ? own : `${turn} `);
  };
  const free = textMembers(family).filter((member) => takesAnyName || !isPointer(member));
  const chosen = values.adaptAll(Object.fromEntries(free.map((member, at) => [member, textOf(member, at)])));
  const flags = Object.entries(fieldsOf(family)).flatMap(([member, { type }]): [string, unknown][] =>
    type === 'boolean' && !isServerFilled(family, member) ? [[member, turn % 2 === 0]] : [],
  );
  const nested = Object.entries(values.samples((turn % 2) as 0 | 1)).filter(
    ([member, value]) => typeof value === 'object' && !isServerFilled(family, member),
  );
  return scope.payload({ ...Object.fromEntries([...flags, ...nested]), ...chosen });
}

/** The part of a body that has to come back. */
function bindingOf({ world }: Chronicle, sent: JsonObject): JsonObject {
  const members = fieldsOf(world.family);
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([member, value]) =>
        member in members && member !== 'id' && value !== undefined && !isServerFilled(world.family, member),
    ),
  );
}

/** Everything optional that a request of the operation may carry, but for what the target refuses. */
function laden({ world, refuses }: Chronicle, op: Op): RequestInput {
  const { context, carried } = world;
  const headers = {
    ...(refuses.has('mediaType') ? {} : defined({ ersMediaType: carried.headers.ersMediaType })),
    ...(refuses.has('csrf') || context.run.needsCsrf() || op === 'read'
      ? {}
      : defined({ csrfToken: carried.headers.csrfToken })),
  };
  return { headers, extra: carried.extra };
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
const flat = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNested(value)));

/** A write that was taken, with what was sent in the end. */
interface Taken {
  readonly answer: Exchange;
  readonly sent: JsonObject;
}

/** Sends a write with all that it may carry; where that is refused, without what only some targets know. */
async function send(
  chronicle: Chronicle,
  op: 'create' | 'update' | 'delete',
  form: 'json' | 'xml',
  input: { readonly id?: string; readonly fields?: JsonObject },
): Promise<Taken> {
  const { world, refuses } = chronicle;
  const fields = form === 'xml' && refuses.has('nested xml') ? flat(input.fields ?? {}) : (input.fields ?? {});
  const once = async (carried: RequestInput, sent: JsonObject) => {
    const body = op === 'delete' ? {} : { fields: sent, format: form };
    const answer = await world.scope.send(op, { ...carried, ...input, ...body });
    return { answer, sent };
  };
  const first = await once(laden(chronicle, op), fields);
  const { status } = first.answer;
  if (isForbidden(first.answer) && !refuses.has('csrf')) {
    refuses.add('csrf');
    const second = await once(laden(chronicle, op), fields);
    mustDecide(second.answer);
    return second;
  }
  mustDecide(first.answer);
  if ((status === 406 || status === 415) && !refuses.has('mediaType')) {
    refuses.add('mediaType');
    return once(laden(chronicle, op), fields);
  }
  if (isSuccess(first.answer) || form === 'json' || !Object.values(fields).some(isNested)) return first;
  // The form of nested members in XML is not shown.
  refuses.add('nested xml');
  return once(laden(chronicle, op), flat(fields));
}

/** What a write came to: the record as it must be now, or how it was refused. */
export type Told = { readonly held: Held } | { readonly refused: Exchange };

/** Creates a record, under a name of its own unless one is given; undefined where the target takes no XML. */
export async function create(chronicle: Chronicle, form: 'json' | 'xml', name?: string): Promise<Told | undefined> {
  const { world } = chronicle;
  const { family, scope, context } = world;
  if (form === 'xml' && chronicle.refuses.has('xml')) return undefined;
  const fields = freshFields(chronicle, name, form);
  const { answer, sent } = await send(chronicle, 'create', form, { fields });
  const own = String(sent[nameMember(family) ?? 'name']);
  if (!isSuccess(answer)) {
    if (form === 'json') return { refused: answer };
    chronicle.refuses.add('xml');
    return undefined;
  }
  const id = (await createdId({ ...context, ...scope }, family.name, answer, own))?.id;
  if (id === undefined) return { refused: answer };
  context.ledger.adopt(family.name, id, own);
  const held: Held = { id, name: own, fields: bindingOf(chronicle, sent), form, isLive: true };
  chronicle.held.set(id, held);
  return { held };
}

/** Sends an update. A deployment may hold that what a portal is made for never changes: then the listed value stays. */
async function sendUpdate(chronicle: Chronicle, one: Held, form: 'json' | 'xml', fields: JsonObject): Promise<Taken> {
  const { world, refuses } = chronicle;
  const other = refuses.has('another listed value') ? {} : otherListed(world.family, one.fields);
  const first = await send(chronicle, 'update', form, { id: one.id, fields: { ...fields, ...other } });
  const { status } = first.answer;
  if (Object.keys(other).length === 0 || status < 400 || status >= 500) return first;
  refuses.add('another listed value');
  return send(chronicle, 'update', form, { id: one.id, fields });
}

/** Gives a record other values, and another name where asked for. */
export async function update(
  chronicle: Chronicle,
  one: Held,
  form: 'json' | 'xml',
  isRenamed = false,
): Promise<Told | undefined> {
  const { world } = chronicle;
  if (!hasOp(world.family, 'update') || (form === 'xml' && chronicle.refuses.has('xml'))) return undefined;
  const member = nameMember(world.family) ?? 'name';
  const fresh = freshFields(chronicle, isRenamed ? undefined : one.name, form);
  const ranged = Object.entries(fieldsOf(world.family)).filter(([, field]) => rangeOf(field) !== undefined);
  const fields = { ...one.fields, ...fresh, id: one.id };
  const { answer, sent } = await sendUpdate(chronicle, one, form, fields);
  if (!isSuccess(answer)) return form === 'xml' && ranged.length === 0 ? undefined : { refused: answer };
  const held: Held = {
    ...one,
    name: String(sent[member]),
    fields: { ...(form === 'xml' ? one.fields : {}), ...bindingOf(chronicle, sent) },
    form: form === 'xml' || one.form === 'xml' ? 'xml' : 'json',
  };
  chronicle.held.set(one.id, held);
  return { held };
}

/** Removes a record. */
export async function remove(chronicle: Chronicle, one: Held): Promise<Told> {
  const { answer } = await send(chronicle, 'delete', 'json', { id: one.id });
  if (!isSuccess(answer)) return { refused: answer };
  const held = { ...one, isLive: false };
  chronicle.held.set(one.id, held);
  chronicle.freed.push(one.name);
  return { held };
}
