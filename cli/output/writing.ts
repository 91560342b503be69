import { messageOf, UsageError } from '../../lib/errors.ts';

/** Writes into a place that the user named, with these flags. Throws `UsageError` where that fails. */
export function writing(place: string, flags: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw new UsageError('out-not-writable', `cannot write ${place}: ${messageOf(cause)}`, {
      cause,
      hint: `use ${flags} to name a place that can be written`,
    });
  }
}
