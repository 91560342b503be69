import type { Clock } from '../clock.ts';
import { TargetError } from '../errors.ts';

const TRIES = 4;
const BACKOFF_MS = 200;
/** Pieces of work in a row that got no answer, after which the target counts as gone. */
const PATIENCE = 3;
/** Pieces of work in a row that were answered and came to nothing, after which each further one is tried once. */
const FUTILE = 5;
/** Faults that cost a whole time limit each: trying again at once would cost another. */
const SLOW: ReadonlySet<string> = new Set(['timeout', 'unreachable']);

/** Tries until the work says true; a fault counts as false. */
export type Persist = (work: () => Promise<boolean>) => Promise<boolean>;

/**
 * Makes the persistence of one clean-up. Once the target is gone, or has refused the login, nothing is tried any more,
 * so that cleaning up ends also where nobody answers.
 */
export function persistence(clock: Clock): Persist {
  let misses = 0;
  const answered = async (work: () => Promise<boolean>): Promise<boolean | 'slow'> => {
    try {
      const done = await work();
      misses = 0;
      return done;
    } catch (fault) {
      // An answer that cannot be made sense of proves nothing: what it was about is reported as left.
      if (!(fault instanceof TargetError)) return false;
      if (fault.code === 'refused-login') misses = PATIENCE;
      else misses += SLOW.has(fault.code) ? 1 : 1 / TRIES;
      return SLOW.has(fault.code) ? 'slow' : false;
    }
  };
  let futile = 0;
  return async (work) => {
    // A target that keeps what it says it removed does so for hundreds of records: waiting for each would take minutes.
    const most = futile >= FUTILE ? 1 : TRIES;
    for (let tries = 1; tries <= most && misses < PATIENCE; tries += 1) {
      const done = await answered(work);
      if (done === true) futile = 0;
      if (done === true) return true;
      if (done === 'slow') return false;
      if (tries < most && misses < PATIENCE) await clock.sleep(BACKOFF_MS * 2 ** (tries - 1));
    }
    futile += 1;
    return false;
  };
}
