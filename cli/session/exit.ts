import { CommanderError } from 'commander';
import { HarnessError, messageOf, ResidueError } from '../../lib/errors.ts';
import { EXIT, type ExitCode, FAULT_EXITS } from '../../lib/exit-codes.ts';

export function exitOf(fault: unknown): ExitCode {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? EXIT.ok : EXIT.usage;
  return fault instanceof ResidueError ? EXIT.residue : FAULT_EXITS[faultOf(fault).kind];
}

export const faultOf = (fault: unknown) => ({
  kind: fault instanceof HarnessError ? fault.kind : ('harness' as const),
  code: fault instanceof HarnessError ? fault.code : 'unexpected',
  message: messageOf(fault),
});
