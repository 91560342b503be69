import pLimit from 'p-limit';
import { TargetError } from '../../errors.ts';

/** Keeps a wrong password from being sent twice. */
export interface LoginGate {
  /** Throws `TargetError` once the login was refused. */
  readonly check: () => void;
  /** Takes in the status of an answer to our login. */
  readonly answered: (status: number) => void;
  /** Lets one request through alone until the login has been answered. */
  readonly pass: <T>(work: () => Promise<T>) => Promise<T>;
}

export function loginGate(): LoginGate {
  let state: 'unproven' | 'proven' | 'refused' = 'unproven';
  let wasTaken = false;
  const alone = pLimit(1);
  return {
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
    answered(status) {
      if (status === 401) {
        wasTaken ||= state === 'proven';
        state = 'refused';
      } else if (state === 'unproven') state = 'proven';
    },
    async pass(work) {
      if (state !== 'unproven') return work();
      const first = await alone(async () => (state === 'unproven' ? { value: await work() } : null));
      return first === null ? work() : first.value;
    },
  };
}
