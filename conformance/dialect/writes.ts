import { hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { entriesOf, idOf, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import type { CheckContext } from '../kit/check.ts';
import { AT_ONCE_ID, SOME_FAIL } from '../kit/delay.ts';
import { nameFilter, nameGiven, nameMember, textMember } from '../kit/fields.ts';
import { waited } from '../kit/poller.ts';
import { createdId } from '../kit/record/fixture.ts';
import { isServerFault } from '../kit/record/record-reads.ts';
import { attemptOnly } from '../kit/record/write-attempt.ts';
import type { Probe, Question } from './question.ts';

/** Milliseconds until a read shows a text that an update wrote; 0 if the family has none. */
async function updateMs(context: CheckContext, id: string, sent: Record<string, unknown>): Promise<number> {
  const member = textMember(context.family);
  if (member === undefined || member === nameMember(context.family) || !hasOp(context.family, 'update')) return 0;
  const text = `${context.run.prefix}dtext`;
  await context.send('update', { id, fields: { id, ...sent, [member]: text } });
  const isShown = async () => recordOf(await context.send('read', { id }))?.[member] === text || undefined;
  return (await waited(context, isShown))[1];
}

async function listedIds({ send, family }: CheckContext, name: string, sortAsc?: string): Promise<readonly string[]> {
  const field = nameFilter(family);
  const filters = field === undefined ? [] : [{ field, operator: 'EQ' as const, value: name }];
  const list = { filters, ...defined({ sortAsc }) };
  return (entriesOf(await send('list', { list })) ?? []).flatMap((entry) => idOf(entry) ?? []);
}

/** Creates a record, changes it and removes it; undefined if no record is to be had. */
async function delayMs({ context }: Probe): Promise<number | undefined> {
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
  const [, readMs] = await waited(context, async () => isSuccess(await context.send('read', { id })) || undefined);
  const [, listMs] = await waited(context, async () => (await ids()).includes(id) || undefined);
  // What sorts may be another index, which learns of a write later.
  const sort = context.family.sorts.find((field) => field === nameFilter(context.family));
  const sorted = async () => (await listedIds(context, name, sort)).includes(id) || undefined;
  const [, sortMs] = sort === undefined ? [undefined, 0] : await waited(context, sorted);
  const updatedMs = await updateMs(context, id, sent);
  await context.send('delete', { id });
  const [, goneMs] = await waited(context, async () => !(await ids()).includes(id) || undefined);
  return Math.max(readMs, listMs, sortMs, updatedMs, goneMs);
}

/** Creates that are sent at one time, and then the deletes of what they made. */
const AT_ONCE = 8;

/** Whether writes of one family at one time are taken. A server that fails at them has a check of its own, and would fail others that run side by side. */
async function atOnce({ context }: Probe): Promise<string> {
  const tried = await Promise.all(Array.from({ length: AT_ONCE }, () => attemptOnly(context, {})));
  return tried.some(({ exchange }) => isServerFault(exchange)) ? SOME_FAIL : 'all are taken';
}

/** Asked on records of this run, if records may be made. */
export const WRITE_QUESTIONS: readonly Question[] = [
  { id: 'visibility.delay-ms', question: 'milliseconds until a write is seen', needs: 'own-data', ask: delayMs },
  { id: AT_ONCE_ID, question: 'writes of one family at one time', needs: 'own-data', ask: atOnce },
];
