import type { ExitCode } from '../../lib/exit-codes.ts';

/** One thing that `doctor` looked at. */
export interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about it. */
  readonly mend?: string;
  readonly exit: ExitCode;
}
