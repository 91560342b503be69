import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { entriesOf, idOf, isObject, isSuccess, type JsonObject, recordOf } from '../../lib/wire/answer.ts';
import type { CheckContext } from '../kit/check.ts';
import { nameFilter, nameGiven, nameMember, textMember } from '../kit/fields.ts';
import { waited } from '../kit/poller.ts';
import { createdId } from '../kit/record/fixture.ts';
import { asking, type Probe, type Question } from './question.ts';

const OF_LIFE: Readonly<Record<string, string>> = {
  'create.id-from': 'where a new id is found',
  'status.create': 'success status of create',
  'status.read': 'success status of read',
  'status.update': 'success status of update',
  'status.delete': 'success status of delete',
  'visibility.delay-ms': 'milliseconds until a write is seen by reads and lists, at most',
  'update.omitted': 'members that an update leaves out',
  'delete.second': 'answer to a second delete',
};

const status = (exchange: Exchange | undefined) => exchange && `status ${exchange.status}`;

/** An update that writes a text, and one that leaves it out; `shownMs`: until a read shows the first one. */
async function updateTwice(context: CheckContext, id: string, sent: Record<string, unknown>) {
  const member = textMember(context.family);
  const text = `${context.run.prefix}dtext`;
  const changes = member === undefined ? {} : { [member]: text };
  const update = await context.send('update', { id, fields: { id, ...sent, ...changes } });
  if (member === undefined || member === nameMember(context.family)) return { update, omitted: undefined, shownMs: 0 };
  const isKept = async () => recordOf(await context.send('read', { id }))?.[member] === text;
  const [, shownMs] = await waited(context, async () => (await isKept()) || undefined);
  const { [member]: _left, ...rest } = sent;
  await context.send('update', { id, fields: { id, ...rest } });
  const isOther = async () => !(await isKept()) || undefined;
  const other = shownMs === 0 ? await isOther() : await context.eventually(isOther);
  return { update, omitted: other === undefined ? 'kept' : 'cleared or replaced', shownMs };
}

async function listedIds({ send, family }: CheckContext, name: string, sortAsc?: string): Promise<readonly string[]> {
  const field = nameFilter(family);
  const filters = field === undefined ? [] : [{ field, operator: 'EQ' as const, value: name }];
  const list = { filters, ...defined({ sortAsc }) };
  return (entriesOf(await send('list', { list })) ?? []).flatMap((entry) => idOf(entry) ?? []);
}

/** Creates a record, changes it and removes it; the answers to the questions of its life, undefined if no record is to be had. */
async function live(context: CheckContext): Promise<JsonObject | undefined> {
  const sent = context.payload();
  const name = nameGiven(context.family, sent);
  const ids = () => listedIds(context, name);
  // A list may go on showing what it showed before.
  await ids();
  const created = await context.send('create', { fields: sent });
  if (!isSuccess(created)) return undefined;
  const found = await createdId(context, context.family.name, created, name);
  if (found === undefined) return undefined;
  const { id } = found;
  const readOnce = async () => {
    const exchange = await context.send('read', { id });
    return isSuccess(exchange) ? exchange : undefined;
  };
  const [read, readMs] = await waited(context, readOnce);
  const [, listMs] = await waited(context, async () => (await ids()).includes(id) || undefined);
  // What sorts may be another index, which learns of a write later.
  const sort = context.family.sorts.find((field) => field === nameFilter(context.family));
  const sorted = async () => (await listedIds(context, name, sort)).includes(id) || undefined;
  const [, sortMs] = sort === undefined ? [undefined, 0] : await waited(context, sorted);
  const updated = hasOp(context.family, 'update') ? await updateTwice(context, id, sent) : undefined;
  const removed = await context.send('delete', { id });
  const [, goneMs] = await waited(context, async () => !(await ids()).includes(id) || undefined);
  const second = await context.send('delete', { id }).catch(() => undefined);
  const idFrom = created.headers['location'] === undefined ? (found.by === 'answer' ? 'body' : 'list') : 'Location';
  return {
    'create.id-from': idFrom,
    'status.create': status(created),
    'status.read': status(read),
    'status.update': status(updated?.update),
    'status.delete': status(removed),
    'visibility.delay-ms': Math.max(readMs, listMs, sortMs, updated?.shownMs ?? 0, goneMs),
    'update.omitted': updated?.omitted,
    'delete.second': status(second),
  };
}

async function duplicate({ context, records }: Probe): Promise<unknown> {
  const own = records.find((record) => record.own);
  const member = nameMember(context.family);
  if (own === undefined || member === undefined) return undefined;
  return context.fixture({ [member]: own.name }).then(
    () => 'taken',
    () => 'refused',
  );
}

async function xmlRequest({ context, records }: Probe): Promise<unknown> {
  const own = records.find((record) => record.own);
  if (own === undefined) return undefined;
  const record = recordOf(await context.send('read', { id: own.id }));
  const texts = Object.entries(record ?? {}).filter(([, value]) => !isObject(value) && !Array.isArray(value));
  const exchange = await context.send('update', { id: own.id, fields: Object.fromEntries(texts), format: 'xml' });
  return isSuccess(exchange) ? 'taken' : `status ${exchange.status}`;
}

const write = asking('own-data');

/** Questions about writes: asked on records of this run, where records may be made. */
export const WRITE_QUESTIONS: readonly Question[] = [
  ...Object.entries(OF_LIFE).map(([id, question]) =>
    // Lived once, for all of them.
    write(id, question, async ({ context }) => (await context.run.shared('dialect-life', () => live(context)))?.[id]),
  ),
  write('create.duplicate-name', 'a second record of the same name', duplicate),
  write('xml.request', 'an update sent as XML', xmlRequest),
  write('csrf', 'writes need a CSRF token', async ({ context }) => context.run.needsCsrf()),
];
