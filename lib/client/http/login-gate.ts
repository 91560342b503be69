import pLimit from 'p-limit';
import { TargetError } from '../../errors.ts';

/** Keeps a wrong password from being sent twice. */
export function loginGate() {
  let state: 'unproven' | 'proven' | 'refused' = 'unproven';
  let wasTaken = false;
  const alone = pLimit(1);
  return {
    /** Throws `TargetError` once the login was refused. */
    check() {
      if (state !== 'refused') return;
      if (wasTaken)
        throw new TargetError(
          'refused-login',
          'the target refused the login with 401, although it had taken it before; nothing more was sent',
          { hint: 'the account may be locked, or its password or session expired: ask whoever runs the target' },
        );
      throw new TargetError('refused-login', 'the target refused the login; nothing more was sent', {
        hint: 'check user name, password and role; only one attempt was made, because accounts are locked after a few',
      });
    },
    /** Takes in the status of an answer to our login. */
    answered(status: number) {
      if (status === 401) {
        wasTaken ||= state === 'proven';
        state = 'refused';
      } else if (state === 'unproven') state = 'proven';
    },
    /** Lets one request through alone until the login has been answered. */
    async pass<T>(work: () => Promise<T>): Promise<T> {
      if (state !== 'unproven') return work();
      const first = await alone(async () => (state === 'unproven' ? { value: await work() } : null));
      return first === null ? work() : first.value;
    },
  };
}
