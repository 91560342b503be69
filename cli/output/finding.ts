import { defined } from '../../lib/defined.ts';
import { EXIT, type ExitCode } from '../../lib/exit-codes.ts';

/** One thing that `doctor` looked at. */
export interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  readonly found: string;
  readonly mend?: string;
  readonly exit: ExitCode;
}

export const good = (subject: string, found: string): Finding => ({ subject, ok: true, found, exit: EXIT.ok });

/** A fault, and what mends it. */
export const bad = (subject: string, found: string, exit: ExitCode, mend?: string): Finding => ({
  ...{ subject, ok: false, found, exit },
  ...defined({ mend }),
});
