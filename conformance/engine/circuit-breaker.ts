import type { Clock } from '../../lib/clock.ts';
import type { TargetError } from '../../lib/errors.ts';

/** After this many checks in a row that got no answer, the target is left alone. */
const SILENT_CHECKS = 3;

/** Stops further checks when the run is interrupted, its deadline has passed, or the target no longer answers. */
export function circuitBreaker(clock: Clock, signal: AbortSignal, deadlineMs: number | undefined) {
  const end = deadlineMs === undefined ? undefined : clock.monotonicMs() + deadlineMs;
  let silent = 0;
  let last = '';
  return {
    /** Told of each check; the fault is why the target did not answer it. */
    answered(fault?: TargetError): void {
      if (silent >= SILENT_CHECKS) return;
      silent = fault === undefined ? 0 : silent + 1;
      last = fault?.message ?? '';
    },
    /** Why no further check starts; undefined while they do. */
    reason(): string | undefined {
      if (end !== undefined && clock.monotonicMs() > end) return 'the deadline of the run had passed';
      if (signal.aborted) return 'the run was interrupted';
      return silent >= SILENT_CHECKS ? `the target had stopped answering: ${last}` : undefined;
    },
  };
}
export type CircuitBreaker = ReturnType<typeof circuitBreaker>;
