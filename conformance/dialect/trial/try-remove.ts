import { inTakenForm } from '../../../lib/client/http/header-habit.ts';
import type { ErsClient } from '../../../lib/client/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import { answerText } from '../../kit/answer.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { removeOwn } from '../../kit/record/finder.ts';
import type { Kept } from '../../kit/values/learned.ts';

const TRIES = 2;

/**
 * Removes the record of a first try and proves it gone, with other headers if the usual ones are refused. Returns what shows
 * that it cannot be removed; undefined if it is gone, or is not proven to be of this run.
 */
export async function tryRemove(context: CheckContext, client: ErsClient, own: Fixture): Promise<Kept | undefined> {
  let kept: Kept | undefined;
  const send: ErsClient['send'] = (family, op, input) =>
    op === 'delete'
      ? inTakenForm(client, op, (headers) => context.send(op, { ...input, headers }, family))
      : context.send(op, input, family);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { deleted, shown } = await removeOwn(context, own, { send, eventually: context.eventually });
    if (deleted === undefined || shown === undefined) return undefined;
    kept = { exchange: deleted, why: answerText(deleted) + (isSuccess(deleted) ? `, and ${answerText(shown)}` : '') };
  }
  return kept;
}
