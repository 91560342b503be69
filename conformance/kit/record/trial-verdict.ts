import { isNotServed, isSuccess } from '../../../lib/wire/answer.ts';
import { answerFailure, answerText, mustDecide } from '../answer.ts';
import type { CheckContext } from '../check.ts';
import { NotTestable } from '../fault.ts';

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
  if (isNotServed(last)) throw answerFailure('a create to be taken', last, { subject: 'request' });
  if (trial.copyRefused !== undefined)
    throw answerFailure('a copy of a record of the target, under a new name, to be taken', last, {
      subject: 'request',
    });
  const tried = trial.refused.map(({ source }) => source).join(', ');
  throw new NotTestable(
    `no form of a create is taken (tried: ${tried}), and no record is there to copy: ${answerText(last)}`,
    'a record to start from, given with --template FILE',
  );
}

/**
 * Requires that the record of the first writes could be removed again. Throws `CheckFailure` if it is still there, and as
 * `mustDecide` does if the answer is about the login or the load.
 */
export function mustTakeDeletes(context: CheckContext): void {
  const kept = context.run.trial()?.kept;
  if (kept === undefined) return;
  mustDecide(kept.exchange);
  context.evidence.add(kept.exchange);
  const effect = isSuccess(kept.exchange) ? { effect: 'the record is still there' } : {};
  throw answerFailure('a record of this run removed', kept.exchange, { subject: 'request', ...effect });
}
