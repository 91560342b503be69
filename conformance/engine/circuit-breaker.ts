import { defined } from '../../lib/defined.ts';
import { FINAL_CODES, TargetError } from '../../lib/errors.ts';
import { INTERRUPTED, OUT_OF_TIME } from '../../lib/records/conformance.ts';

/** After this many checks in a row that got no answer, the target is left alone. */
const SILENT_CHECKS = 3;

/** Stops further checks when the run is interrupted, its deadline has passed, or the target no longer answers. */
export function circuitBreaker(signal: AbortSignal) {
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
      if (!signal.aborted) return lost?.message;
      return signal.reason.name === 'TimeoutError' ? OUT_OF_TIME : INTERRUPTED;
    },
    lost: () => lost,
  };
}
export type CircuitBreaker = ReturnType<typeof circuitBreaker>;
