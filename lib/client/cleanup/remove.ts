import { type Field, fieldsOf, offers } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { UsageError } from '../../errors.ts';
import { idOf, isNotFound, isSuccess, recordOf } from '../../wire/answer.ts';
import { denies } from '../safety/registry.ts';
import type { ErsClient, Exchange, OwnRecord } from '../types.ts';
import type { Reader } from './find-by-name.ts';

export interface Removal {
  /** Answer to the delete; absent if the client let none through, because the record is not proven to be of this run. */
  readonly deleted?: Exchange;
  readonly shown?: Exchange;
}

export type Remover = Reader & Pick<ErsClient, 'standing' | 'gone' | 'adopt'>;

/** True for an answer to a delete after which the record is still there. */
export const isRefusal = (answer: Exchange | undefined): answer is Exchange =>
  answer !== undefined && !isSuccess(answer) && !isNotFound(answer);

export const canRead = ({ options }: Pick<Remover, 'options'>, family: string): boolean =>
  offers(options.table, family, 'read');

/** The read that shows a record of the run; undefined if none does. The books say afterwards if it is gone. */
export async function readOwn(client: Remover, { family, id }: OwnRecord): Promise<Exchange | undefined> {
  if (!canRead(client, family)) return undefined;
  const read = await client.send(family, 'read', { id });
  const isGone = denies(read, id);
  if (isGone) client.gone(family, id);
  // What answers well with something is there, even if nobody can make sense of it.
  const isShown = isSuccess(read) && !isGone && (idOf(recordOf(read)) ?? id) === id;
  return isShown && client.standing(family, id) !== 'foreign' ? read : undefined;
}

/** Removes a record of the run, proven by a read. If no read tells, one whose delete was answered with success is left to the list. */
export async function remove(
  client: Remover,
  record: OwnRecord,
  eventually: (look: () => Promise<true | undefined>) => Promise<unknown> = (look) => look(),
): Promise<Removal> {
  const { family, id } = record;
  let deleted: Exchange | undefined;
  try {
    deleted = await client.send(family, 'delete', { id });
  } catch (fault) {
    // Refused by the guard. A look still tells if the record is there.
    if (!(fault instanceof UsageError)) throw fault;
  }
  let shown: Exchange | undefined;
  const look = async () => {
    shown = await readOwn(client, record);
    return shown === undefined ? true : undefined;
  };
  // A refusal does not come true later.
  await (deleted !== undefined && isSuccess(deleted) ? eventually(look) : look());
  // A delete that was answered with success has taken it off the books.
  if (shown !== undefined) client.adopt(record);
  return defined({ deleted, shown });
}

/** True for a text that a record may hold in any form. */
const isFree = ({ type, form, refersTo, secret }: Field): boolean =>
  type === 'string' && form === undefined && refersTo === undefined && secret !== true;

/** Letters and digits that a text is left with: the mark of the run and more stand at the beginning of a name. */
const PLAIN_LENGTH = 24;

/** If a delete is refused, updates the record to few letters and digits alone, and tries again: its texts may be the reason. */
export async function removePlain(client: Remover, record: OwnRecord): Promise<Removal> {
  const { family, id } = record;
  if (!offers(client.options.table, family, 'update')) return {};
  const read = await readOwn(client, record);
  const { link: _, ...held } = (read && recordOf(read)) ?? {};
  const fields = fieldsOf(client.options.table[family]);
  const plain = Object.entries(held).map(([member, value]) => {
    const field = member === 'id' ? undefined : fields[member];
    const isText = typeof value === 'string' && field !== undefined && isFree(field);
    return [member, isText ? value.replace(/[^A-Za-z0-9]/g, '').slice(0, PLAIN_LENGTH) : value];
  });
  const sent = Object.fromEntries(plain);
  if (read === undefined || JSON.stringify(sent) === JSON.stringify(held)) return {};
  try {
    const isTaken = isSuccess(await client.send(family, 'update', { id, fields: sent }));
    return isTaken ? await remove(client, record) : {};
  } catch (fault) {
    if (!(fault instanceof UsageError)) throw fault;
    return {};
  }
}
