import type { Report, ResultReport } from '../../lib/records/report.ts';
import { runOptions } from '../../lib/records/run-options.ts';

/** True where a warning fails the run: it then counts as a failure in every report. */
export function isStrict({ run }: Pick<Report, 'run'>): boolean {
  return runOptions(run).strict === true;
}

/** True for a result that fails its run, unless that was expected. */
export function countsAsFailure({ verdict }: ResultReport, strict: boolean): boolean {
  return verdict === 'fail' || (strict && verdict === 'warn');
}
