import type { Report } from '../../lib/records/report.ts';

/** True where a warning fails the run: it then counts as a failure in every report. */
export function isStrict({ run }: Pick<Report, 'run'>): boolean {
  return run.options['strict'] === true;
}
