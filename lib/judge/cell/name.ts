import type { CellReport } from '../../records/load/load.ts';

/** Name of a load cell: profile, operation, and the iteration where there are several. */
export function loadCellName({
  profile,
  operation,
  facts,
}: Pick<CellReport, 'profile' | 'operation' | 'facts'>): string {
  return [profile, operation, ...(facts.iteration === undefined ? [] : [`iteration ${facts.iteration}`])].join(' ');
}
