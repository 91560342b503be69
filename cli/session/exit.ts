import { CommanderError } from 'commander';
import { GeneratorError, HarnessError, ResidueError, ResultsError, TargetError, UsageError } from '../../lib/errors.ts';
import { EXIT, type ExitCode } from '../../lib/exit-codes.ts';

/** Exit code of anything a command threw. */
export function exitOf(fault: unknown): ExitCode {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (fault instanceof UsageError) return EXIT.usage;
  if (fault instanceof TargetError || fault instanceof ResultsError) return EXIT.untested;
  if (fault instanceof GeneratorError) return EXIT.inconclusive;
  if (fault instanceof ResidueError) return EXIT.residue;
  return EXIT.fault;
}

/** Kind of a fault in the run's records. */
export function faultKind(fault: unknown): 'harness' | 'target' | 'usage' | 'generator' {
  if (fault instanceof UsageError) return 'usage';
  if (fault instanceof TargetError || fault instanceof ResultsError) return 'target';
  if (fault instanceof GeneratorError) return 'generator';
  return 'harness';
}

/** Code of a fault in the run's records. */
export function faultCode(fault: unknown): string {
  return fault instanceof HarnessError ? fault.code : 'unexpected';
}
