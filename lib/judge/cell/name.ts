import type { CellReport } from '../../records/load.ts';

/** Name of a load cell: profile, operation, and the round where there are several. */
export function loadCellName({
  profile,
  operation,
  facts,
}: Pick<CellReport, 'profile' | 'operation' | 'facts'>): string {
  return [profile, operation, ...(facts.round === undefined ? [] : [`round ${facts.round}`])].join(' ');
}
