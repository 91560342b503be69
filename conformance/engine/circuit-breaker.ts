import type { Clock } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import { FINAL_CODES, TargetError } from '../../lib/errors.ts';
import { INTERRUPTED } from '../../lib/records/conformance.ts';

/** After this many checks in a row that got no answer, the target is left alone. */
const SILENT_CHECKS = 3;

/** Stops further checks when the run is interrupted, its deadline has passed, or the target no longer answers. */
export function circuitBreaker(clock: Clock, signal: AbortSignal, deadlineMs: number | undefined) {
  const end = deadlineMs === undefined ? undefined : clock.monotonicMs() + deadlineMs;
  let silent = 0;
  let lost: TargetError | undefined;
  return {
    answered(fault?: TargetError): void {
      if (lost !== undefined) return;
      silent = fault === undefined ? 0 : silent + 1;
      if (fault !== undefined && FINAL_CODES.has(fault.code)) lost = fault;
      else if (fault !== undefined && silent >= SILENT_CHECKS) {
        const message = `the target had stopped answering: ${fault.message}`;
        lost = new TargetError(fault.code, message, defined({ hint: fault.hint }));
      }
    },
    reason(): string | undefined {
      if (end !== undefined && clock.monotonicMs() > end) return 'the deadline of the run had passed';
      return signal.aborted ? INTERRUPTED : lost?.message;
    },
    lost: () => lost,
  };
}
export type CircuitBreaker = ReturnType<typeof circuitBreaker>;
