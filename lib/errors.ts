import { defined } from './defined.ts';
import type { FAULT_EXITS } from './exit-codes.ts';

/** A fault with a stable code, a message that says what happened, and a hint that says what to do. */
export class HarnessError extends Error {
  readonly kind: keyof typeof FAULT_EXITS = 'harness';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: { cause?: unknown; hint?: string } = {}) {
    super(message, defined({ cause: options.cause }));
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
  }
}

/** Wrong arguments, wrong configuration or a safety refusal: nothing was changed. Exit 2. */
export class UsageError extends HarnessError {
  override readonly kind = 'usage';
}

/** The target could not be tested: unreachable, refused login, not this API. Exit 3. */
export class TargetError extends HarnessError {
  override readonly kind = 'target';
}

/** The target refuses the operation at any rate, so that its speed cannot be judged. Exit 7. */
export class RefusedError extends HarnessError {
  override readonly kind = 'refused';
}

/** The load generator or the run was at fault. Exit 4. */
export class GeneratorError extends HarnessError {
  override readonly kind = 'generator';
}

/** Records on disk are missing, cut or of an unknown version. Exit 3. */
export class ResultsError extends HarnessError {
  override readonly kind = 'target';
}

/** Something is left on the target, and there is no record to say so. Exit 5. */
export class ResidueError extends HarnessError {}

/** Codes of faults of a target after which the client sends nothing more. */
export const FINAL_CODES: ReadonlySet<string> = new Set(['refused-login', 'out-of-service']);

export const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));
