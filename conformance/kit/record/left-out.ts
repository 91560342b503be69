import type { Exchange, RawRequest } from '../../../lib/client/types.ts';
import { fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import { isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import { pageOf } from '../../../lib/wire/list-walk.ts';
import type { CheckContext } from '../check.ts';
import { showsAtOnce } from '../delay.ts';
import { nameMember, rangeOf, textMember } from '../fields.ts';
import { steadyBoundOf, thresholdWords } from '../threshold.ts';
import { idGiven } from './fixture.ts';
import { bodyOf } from './record-conditions.ts';

/** True if a list shows the record. Throws if that cannot be told: what is not on the first page may be on the next one. */
async function isListed({ raw }: CheckContext, request: RawRequest, id: string): Promise<boolean> {
  const page = pageOf(await raw(request));
  if (page === undefined || page.next !== undefined) throw new Error('no whole list to tell it by');
  return page.items.some((item) => item.id === id);
}

const isTriable = (context: CheckContext): boolean =>
  (['create', 'read', 'delete'] as const).every((op) => hasOp(context.family, op)) &&
  context.run.mayCreate() &&
  showsAtOnce({ context });

/** Tries something on a record that is made for it, and removed again; undefined if the create is not taken. */
async function onRecord<T>({ family, send }: CheckContext, fields: JsonObject, work: (id: string) => Promise<T>) {
  const created = await send('create', { fields });
  const id = idGiven(created, family, fields);
  if (id === undefined) return undefined;
  try {
    return await work(id);
  } finally {
    await send('delete', { id });
  }
}

/**
 * Which update a record has to have gone through so that a list leaves it out, as a clause: others are updated, and looked for in the same list,
 * under their names if the query names the record, as its last update wrote it. Undefined if none, or if that cannot be tried.
 */
export async function updatesLeftOut(context: CheckContext, { request }: Exchange, update: Exchange) {
  const { family, send, payload } = context;
  const member = nameMember(family) ?? 'name';
  const text = textMember(family);
  if (!isTriable(context) || !hasOp(family, 'update')) return undefined;
  const name = bodyOf(update)?.[member];
  if (typeof name !== 'string') return undefined;
  const isShown = (made: string, now: unknown) =>
    isListed(context, { ...request, path: request.path.replaceAll(encodeURIComponent(name), String(now)) }, made);
  /** Whether a record is shown, and is so after an update of it. */
  const isLost = async (changes: JsonObject): Promise<boolean> => {
    const fields = payload();
    const lost = await onRecord(context, fields, async (id) => {
      if (!(await isShown(id, fields[member]))) return false;
      const updated = await send('update', { id, fields: { ...fields, ...changes, id } });
      return isSuccess(updated) && !(await isShown(id, changes[member] ?? fields[member]));
    });
    if (lost === undefined) throw new Error('no record to try on');
    return lost;
  };
  const isRenameLost = () => isLost({ [member]: payload()[member] });
  const isUpdateLost = () => isLost(text === undefined || text === member ? {} : { [text]: 'changed' });
  // Both twice: what comes and goes has no condition.
  const [isUpdate, isRename] = [await isUpdateLost(), await isRenameLost()];
  if ((await isUpdateLost()) !== isUpdate || (await isRenameLost()) !== isRename) return undefined;
  return isUpdate ? 'the record was updated before' : isRename ? 'the record was renamed before' : undefined;
}

const OF_NUMBER = /^[^?]*\?(?:.*&)?filter=([^.&]+)\.(GT|LT|NEQ)\.(\d+)(?:&|$)/i;

/**
 * Which numbers a record has to have so that a filter for numbers leaves it out, as a clause: records with others are made, and shown by the
 * same list. Undefined if it leaves out all of them, if their number is not what matters, or if that cannot be tried.
 */
export async function numbersLeftOut(context: CheckContext, { request }: Exchange, id: string) {
  const { family, send, payload } = context;
  const [, field = '', operator = '', operand = ''] = OF_NUMBER.exec(request.path) ?? [];
  const member = memberOf(family.name, field);
  const range = rangeOf(fieldsOf(family)[member]);
  const isOne = request.path.match(/filter=/gi)?.length === 1;
  if (range === undefined || !isOne || !isTriable(context)) return undefined;
  const size = recordOf(await send('read', { id }))?.[member];
  if (typeof size !== 'number') return undefined;
  const isLeftOut = (number: number) =>
    onRecord(context, payload({ [member]: number }), async (made) => !(await isListed(context, request, made)));
  const low = /GT/i.test(operator) ? Math.max(range.low, Number(operand) + 1) : range.low;
  const high = /LT/i.test(operator) ? Math.min(range.high, Number(operand) - 1) : range.high;
  const bound = await steadyBoundOf(size, [low, high], isLeftOut);
  return bound && `${member} is ${thresholdWords(bound)}`;
}
