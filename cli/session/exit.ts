import { CommanderError } from 'commander';
import {
  GeneratorError,
  HarnessError,
  messageOf,
  RefusedError,
  ResidueError,
  ResultsError,
  TargetError,
  UsageError,
} from '../../lib/errors.ts';
import { EXIT, type ExitCode, FAULT_EXITS } from '../../lib/exit-codes.ts';

export function exitOf(fault: unknown): ExitCode {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? EXIT.ok : EXIT.usage;
  return fault instanceof ResidueError ? EXIT.residue : FAULT_EXITS[faultKind(fault)];
}

function faultKind(fault: unknown): keyof typeof FAULT_EXITS {
  if (fault instanceof UsageError) return 'usage';
  if (fault instanceof RefusedError) return 'refused';
  if (fault instanceof TargetError || fault instanceof ResultsError) return 'target';
  return fault instanceof GeneratorError ? 'generator' : 'harness';
}

export const faultOf = (fault: unknown) => ({
  kind: faultKind(fault),
  code: fault instanceof HarnessError ? fault.code : 'unexpected',
  message: messageOf(fault),
});
