import type { Exchange } from '../../../lib/client/types.ts';
import { fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import { answeredId, isSuccess, recordOf } from '../../../lib/wire/answer.ts';
import { pageOf } from '../../../lib/wire/list-walk.ts';
import type { CheckContext } from '../check.ts';
import { showsAtOnce } from '../delay.ts';
import { rangeOf } from '../fields.ts';
import { steadyBoundOf, thresholdWords } from '../threshold.ts';

const OF_NUMBER = /^[^?]*\?(?:.*&)?filter=([^.&]+)\.(GT|LT|NEQ)\.(\d+)(?:&|$)/i;

/**
 * Which numbers a record has to have so that a filter for numbers leaves it out, as a clause: records with others are made, and shown by the
 * same list. Undefined if it leaves out all of them, if their number is not what matters, or if that cannot be tried.
 */
export async function numbersLeftOut(
  context: CheckContext,
  { request }: Exchange,
  id: string,
): Promise<string | undefined> {
  const { family, run, send, payload } = context;
  const [, field = '', operator = '', operand = ''] = OF_NUMBER.exec(request.path) ?? [];
  const member = memberOf(family.name, field);
  const range = rangeOf(fieldsOf(family)[member] ?? { type: 'string' });
  const isOne = request.path.match(/filter=/gi)?.length === 1;
  const isTriable = hasOp(family, 'create') && hasOp(family, 'read') && hasOp(family, 'delete') && run.mayCreate();
  if (range === undefined || !isOne || !isTriable || !showsAtOnce({ context })) return undefined;
  const size = recordOf(await send('read', { id }))?.[member];
  if (typeof size !== 'number') return undefined;
  const isLeftOut = async (number: number): Promise<boolean | undefined> => {
    const created = await send('create', { fields: payload({ [member]: number }) });
    const made = isSuccess(created) ? answeredId(created, { family: family.name }) : undefined;
    if (made === undefined) return undefined;
    const page = pageOf(await context.raw(request));
    await send('delete', { id: made });
    // What is not on the first page may be on the next one.
    if (page === undefined || page.next !== undefined) throw new Error('no whole list to tell it by');
    return !page.items.some((item) => item.id === made);
  };
  const low = /GT/i.test(operator) ? Math.max(range.low, Number(operand) + 1) : range.low;
  const high = /LT/i.test(operator) ? Math.min(range.high, Number(operand) - 1) : range.high;
  const bound = await steadyBoundOf(size, [low, high], isLeftOut);
  return bound && `${member} is ${thresholdWords(bound)}`;
}
