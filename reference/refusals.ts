import type { Problem } from './answers/problem.ts';
import { problemOutcome } from './answers/responder.ts';
import type { Answer, Call } from './http/wire.ts';
import type { Kit, SeamChange } from './seams.ts';

/** Answers a request with a problem. */
export const refuse = ({ seams }: Kit, call: Call, problem: Problem): Answer =>
  seams.responder.answer(problemOutcome(problem, call), call);

/** Refuses requests before anything else looks at them. */
export const refusing =
  (when: (call: Call) => Problem | undefined): SeamChange<'front'> =>
  ({ handle }, kit) => ({
    handle: (call) => {
      const problem = when(call);
      return problem === undefined ? handle(call) : refuse(kit, call, problem);
    },
  });
