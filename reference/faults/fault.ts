import { OPS } from '../../lib/contract/operations.ts';
import { Problem } from '../answers/problem.ts';
import { problemOutcome } from '../answers/responder.ts';
import type { Deviation } from '../deviation.ts';
import type { Answer, Call } from '../http/wire.ts';
import type { Kit, MaybePromise } from '../seams.ts';

/** Requests a fault strikes. */
export type Scope = 'all' | 'anc';

const isAnc = (call: Call): boolean => call.route !== undefined && OPS[call.route.op].body === 'anc';

const inScope = (scope: Scope, call: Call) => scope === 'all' || isAnc(call);

type Next = () => MaybePromise<Answer>;

/** A fault that stands before the deployment: it may wait, answer by itself, or let the request pass. */
export function frontFault(
  id: string,
  title: string,
  scope: Scope,
  make: (kit: Kit) => (call: Call, next: Next) => MaybePromise<Answer>,
): Deviation {
  return {
    id,
    title,
    install: (kit) => {
      const strike = make(kit);
      return {
        front: (inner) => ({
          handle: (call) => (inScope(scope, call) ? strike(call, () => inner.handle(call)) : inner.handle(call)),
        }),
      };
    },
  };
}

/** Answer of the error envelope with a status. */
export function refusal(
  kit: Kit,
  call: Call,
  status: number,
  title: string,
  headers: Record<string, string> = {},
): Answer {
  const problem = new Problem(status, status === 429 || status === 503 ? 'busy' : 'internal', title, { headers });
  return kit.seams.responder.answer(problemOutcome(problem, call), call);
}

/** An answer that closes the socket instead of writing anything. */
export const RESET: Answer = { status: 500, headers: {}, body: '', reset: true };
