import type { ConformanceReport, Report } from '../../records/report.ts';

/** True if a result passed, warned or failed. */
export const hasProven = ({ counts }: ConformanceReport): boolean => counts.pass + counts.warn + counts.fail > 0;

/** True if a run has a result that says something, a cell or a step of a search: of one that has none, its end says all. */
export const hasShown = ({ conformance, load, capacity }: Pick<Report, 'conformance' | 'load' | 'capacity'>): boolean =>
  (conformance !== null && hasProven(conformance)) ||
  (load?.cells.length ?? 0) + (load?.notRun?.length ?? 0) + (capacity?.answers.length ?? 0) > 0;
