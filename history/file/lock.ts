import { UsageError } from '../../lib/errors.ts';
import { releaseLock, takeLock } from '../../lib/file-lock.ts';

const WAIT_MS = 20;
/** An append takes milliseconds: a lock this old is of a process that is gone. */
const STALE_MS = 20_000;
const PATIENCE_MS = 30_000;

const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Does the work while no other process holds `<file>.lock`. Throws `UsageError` where it stays held. */
export function locked<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  const until = Date.now() + PATIENCE_MS;
  while (!takeLock(lock, STALE_MS)) {
    if (Date.now() > until) {
      throw new UsageError('history-locked', `another run holds ${lock}`, {
        hint: 'remove the lock if no run is under way',
      });
    }
    sleep(WAIT_MS);
  }
  try {
    return work();
  } finally {
    releaseLock(lock);
  }
}
