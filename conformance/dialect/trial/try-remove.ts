import { inTakenForm } from '../../../lib/client/http/header-habit.ts';
import type { ErsClient, Exchange } from '../../../lib/client/types.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { UsageError } from '../../../lib/errors.ts';
import { idOf, isSuccess, recordOf } from '../../../lib/wire/answer.ts';
import { answerText } from '../../kit/answer.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { listEntries } from '../../kit/record/finder.ts';
import type { Kept } from '../../kit/values/learned.ts';

const TRIES = 2;

/** The answer that shows that a record is still there; undefined if it is gone. */
async function stillThere(
  context: CheckContext,
  { family, id }: Fixture,
  deleted: Exchange,
): Promise<Exchange | undefined> {
  if (!hasOp(context.family, 'read'))
    return (await listEntries(context, family)).some((entry) => idOf(entry) === id) ? deleted : undefined;
  const read = await context.send('read', { id });
  return isSuccess(read) && idOf(recordOf(read)) === id ? read : undefined;
}

/**
 * Removes the record of a first try and proves it gone, with other headers if the usual ones are refused. Returns what shows
 * that it cannot be removed; undefined if it is gone, or is not proven to be of this run.
 */
export async function tryRemove(context: CheckContext, client: ErsClient, own: Fixture): Promise<Kept | undefined> {
  let kept: Kept | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    let deleted: Exchange;
    try {
      deleted = await inTakenForm(client, 'delete', (headers) => context.send('delete', { id: own.id, headers }));
    } catch (fault) {
      if (fault instanceof UsageError) return undefined;
      throw fault;
    }
    let seen: Exchange | undefined;
    const look = async () => {
      seen = await stillThere(context, own, deleted);
      return seen === undefined ? true : undefined;
    };
    // A refusal does not come true later.
    if ((await (isSuccess(deleted) ? context.eventually(look) : look())) === true) return undefined;
    const effect = isSuccess(deleted) && seen !== undefined ? `, and ${answerText(seen)}` : '';
    kept = { exchange: deleted, why: `${answerText(deleted)}${effect}` };
  }
  return kept;
}
