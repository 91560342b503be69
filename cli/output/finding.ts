import { defined } from '../../lib/defined.ts';
import { EXIT, type ExitCode } from '../../lib/exit-codes.ts';
import { residueKinds } from '../../lib/judge/left-as-found.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import { counted } from '../../lib/text.ts';

export interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  readonly found: string;
  readonly mend?: string;
  readonly exit: ExitCode;
}

export const good = (subject: string, found: string): Finding => ({ subject, ok: true, found, exit: EXIT.ok });

export const bad = (subject: string, found: string, exit: ExitCode, mend?: string): Finding => ({
  ...{ subject, ok: false, found, exit },
  ...defined({ mend }),
});

/** What a clean-up left on the target, and what it left alone there, one by one; or that there is nothing. */
export function leftFindings({ residue, leftAlone = [], unsettled = 0 }: RunEnd['cleanup']): readonly Finding[] {
  const found = [
    ...residueKinds(residue).flatMap(({ label, records }) =>
      records.map(({ family, id, command }) => bad(label, `${family} ${id}`, EXIT.residue, command)),
    ),
    ...leftAlone.map(({ family, id, why, command }) =>
      bad('may be of the run, left alone', `${family} ${id}: ${why}`, EXIT.residue, command),
    ),
  ];
  const open = unsettled === 0 ? '' : ` that was found; ${counted(unsettled, 'create')} got no clear answer`;
  return found.length === 0 ? [good('left on the target', `nothing${open}`)] : found;
}
