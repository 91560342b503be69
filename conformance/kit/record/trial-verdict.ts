import { isNotServed, isSuccess } from '../../../lib/wire/answer.ts';
import { answerFailure, answerText, mustDecide } from '../answer.ts';
import type { CheckContext } from '../check.ts';
import { NotTestable } from '../fault.ts';
import type { Kept } from '../values/learned.ts';

/**
 * Requires that a form of a create was taken when the run made its first writes. That none was breaks the requirement only if a
 * copy of a record of the target's own was refused under a plain new name: then nothing that the caller made up can be the
 * reason. Throws `CheckFailure` then, and else `NotTestable`, because what a create needs is not known here.
 */
export function mustTakeCreates(context: CheckContext): void {
  const trial = context.run.trial();
  const last = trial?.copyRefused ?? trial?.refused.at(-1)?.exchange;
  if (trial === undefined || trial.form !== undefined || last === undefined) return;
  mustDecide(last);
  context.evidence.add(last);
  if (isNotServed(last)) throw answerFailure('a create to be taken', last, 'request');
  if (trial.copyRefused !== undefined)
    throw answerFailure('a copy of a record of the target, under a new name, to be taken', last, 'request');
  const tried = trial.refused.map(({ source }) => source).join(', ');
  throw new NotTestable(
    `no form of a create is taken (tried: ${tried}), and no record is there to copy: ${answerText(last)}`,
    'a record to start from, given with --template FILE',
  );
}

/**
 * Requires that what the first writes made could be removed again. Throws `CheckFailure` if it is still there, and as
 * `mustDecide` does if the answer is about the login or the load.
 */
function mustUndo(context: CheckContext, kept: Kept | undefined, expected: string): void {
  if (kept === undefined) return;
  mustDecide(kept.exchange);
  context.evidence.add(kept.exchange);
  const effect = isSuccess(kept.exchange) ? 'the record is still there' : undefined;
  throw answerFailure(expected, kept.exchange, 'request', effect, kept.onlyIf);
}

/** Requires that the record of the first writes could be removed again. Throws as `mustUndo` does. */
export const mustTakeDeletes = (context: CheckContext): void =>
  mustUndo(context, context.run.trial()?.kept, 'a record of this run removed');

/** Requires that the clear of the first endpoint was taken, and took effect if that is judged. Throws as `mustUndo` does. */
export function mustTakeClears(context: CheckContext, mustHaveEffect: boolean): void {
  const { kept } = context.run.anc();
  if (kept !== undefined && (mustHaveEffect || !isSuccess(kept.exchange)))
    mustUndo(context, kept, 'an endpoint of this run cleared');
}
