import type { CheckContext } from '../../conformance/kit/check.ts';
import type { Clock } from '../../lib/clock.ts';
import { OPS } from '../../lib/contract/operations.ts';

/** A context that notes when it wrote last, and whether that was more than `shortestMs` ago, which a write takes to show at most. */
export function noteWrites(context: CheckContext, clock: Clock, shortestMs: number) {
  let writtenMs = clock.monotonicMs();
  const noted = <T>(mutates: boolean, answer: Promise<T>): Promise<T> =>
    answer.finally(() => {
      if (mutates) writtenMs = clock.monotonicMs();
    });
  const send: CheckContext['send'] = (op, input, on) => noted(OPS[op].mutates, context.send(op, input, on));
  const raw: CheckContext['raw'] = (request) => noted(OPS[request.op].mutates, context.raw(request));
  return { context: { ...context, send, raw }, isAtRest: () => clock.monotonicMs() - writtenMs > shortestMs };
}
