import type { Report } from '../../records/report.ts';

/** True if a run recorded a result, a cell or a step of a search: of one that did not, its end says all. */
export const hasShown = ({ conformance, load, capacity }: Pick<Report, 'conformance' | 'load' | 'capacity'>): boolean =>
  (conformance?.results.length ?? 0) + (load?.cells.length ?? 0) + (load?.notRun?.length ?? 0) > 0 ||
  (capacity?.answers.length ?? 0) > 0;
