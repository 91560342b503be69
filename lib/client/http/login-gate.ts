import pLimit from 'p-limit';
import { TargetError } from '../../errors.ts';

/** Refusals of a login that was taken before, after which no further one is looked into. */
const MOST_DOUBTS = 20;
/** Good answers that make up for one of them. */
const ANSWERS_PER_DOUBT = 20;

/**
 * Keeps a wrong password from being sent twice. A login that was taken before is in doubt after a 401, as if a session has
 * ended or one node of several has not heard of it: what is under way shows whether it still holds, or one request alone. `quiet`
 * resolves once nothing is under way.
 */
export function loginGate(quiet: () => Promise<unknown>) {
  let state: 'unproven' | 'proven' | 'doubted' | 'refused' = 'unproven';
  let wasTaken = false;
  let doubts = 0;
  /** Refusals of one doubt, without a good answer among them. */
  let inARow = 0;
  let said = '401';
  const alone = pLimit(1);
  return {
    /** False while it is in doubt. */
    isOpen: () => state !== 'doubted',
    /** Throws `TargetError` once the login was refused. */
    check() {
      if (state !== 'refused') return;
      if (wasTaken)
        throw new TargetError(
          'refused-login',
          `the target refused the login with ${said}, although it had taken it before; nothing more was sent`,
          { hint: 'the account may be locked, or its password or session expired: ask whoever runs the target' },
        );
      throw new TargetError('refused-login', `the target refused the login with ${said}; nothing more was sent`, {
        hint: 'check user name, password and role; only one attempt was made, because accounts are locked after a few',
      });
    },
    /** Takes in the status of an answer to our login, and its words if it is refused; `isProof` for the request that was sent to show whether it still holds. */
    answered(status: number, words: () => string, isProof = false) {
      if (state === 'refused') return;
      if (status === 401) said = words();
      inARow = status === 401 ? inARow + 1 : 0;
      if (status === 401 && (state === 'unproven' || isProof)) state = 'refused';
      else if (status === 401 && state === 'proven') {
        wasTaken = true;
        doubts += 1;
        state = doubts > MOST_DOUBTS ? 'refused' : 'doubted';
      } else if (status !== 401) {
        doubts = Math.max(0, doubts - 1 / ANSWERS_PER_DOUBT);
        if (state === 'unproven' || isProof) state = 'proven';
      }
    },
    /** Lets one request through alone until the login has been answered. */
    async pass<T>(work: () => Promise<T>): Promise<T> {
      if (state !== 'unproven') return work();
      const first = await alone(async () => (state === 'unproven' ? { value: await work() } : null));
      return first === null ? work() : first.value;
    },
    /** Sends the proof alone if the login is in doubt. True if the login holds; one that nothing proves is refused. */
    holds: (proof: () => Promise<unknown>): Promise<boolean> =>
      alone(async () => {
        if (state === 'doubted') await quiet();
        // Whoever asks on where several were refused locks the account; what was under way may have been taken since.
        if (state === 'doubted' && inARow <= 1) await proof();
        if (state === 'doubted') state = 'refused';
        return state === 'proven';
      }),
  };
}
