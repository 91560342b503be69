import { isOfState, isSuccess } from '../../lib/wire/answer.ts';
import { answerText } from '../kit/answer.ts';
import type { CheckContext } from '../kit/check.ts';
import { CheckFailure, Inconclusive } from '../kit/fault.ts';
import { attemptOnly } from '../kit/record/write-attempt.ts';
import type { Trace } from './trace.ts';

/**
 * A failure, unless it is a refused create, and the usual one, which was taken before, is refused right after as well: how many records a
 * target takes, and which may be alike, is not shown ("Limits", "States and transitions").
 */
export async function withControl(thrown: unknown, context: CheckContext, { refused }: Trace): Promise<unknown> {
  if (!(thrown instanceof CheckFailure)) return thrown;
  const { kind, operation } = thrown.facts.about;
  const refusal = kind === 'refused' && operation === 'create' ? refused.get(operation) : undefined;
  if (refusal === undefined || !isOfState(refusal) || !context.run.values.wasTaken([operation], {})) return thrown;
  const { exchange } = await attemptOnly(context, {}).catch(() => ({ exchange: undefined }));
  if (exchange === undefined || isSuccess(exchange)) return thrown;
  return new Inconclusive(`the usual create is refused as well by now: ${answerText(exchange)}`);
}
