import type { Deviation } from '../deviation.ts';
import { wrap } from '../seams.ts';

/** Wrong logins that are answered at once, when none came for a while. */
const FREE = 5;
/** Time that each further one waits, one after the other. */
const PAUSE_MS = 500;
const LONGEST_MS = 30_000;

/** Answers to wrong logins come at most twice a second, one after the other; right ones never wait. */
export function slowRefusals(now: () => number = () => performance.now()): Deviation {
  return {
    install: wrap('front', (inner, { wait }) => {
      let turn = Number.NEGATIVE_INFINITY;
      return {
        handle: async (call) => {
          const answer = await inner.handle(call);
          if (answer.status !== 401) return answer;
          turn = Math.min(Math.max(turn, now() - FREE * PAUSE_MS) + PAUSE_MS, now() + LONGEST_MS);
          if (turn > now()) await wait(turn - now());
          return answer;
        },
      };
    }),
  };
}
