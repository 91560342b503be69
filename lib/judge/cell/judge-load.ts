import { groupBy } from '../../group-by.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import type { CellFacts, CellReport } from '../../records/load/load.ts';
import type { Samples } from '../../records/load/samples.ts';
import type { Report } from '../../records/report.ts';
import type { Scope } from '../scope.ts';

/** Judges one try of one cell; samples are null where their file is missing or cut, which must never be met. */
export type JudgeCell = (facts: CellFacts, samples: Samples | null) => CellReport;

export type LoadReport = NonNullable<Report['load']>;

/** Cells that were asked for and left no record. */
export function missingCells(load: LoadReport | null, scope: Scope): Scope['cells'] {
  const seen = new Set(load?.cells.map(({ profile, operation }) => `${profile} ${operation}`));
  return scope.cells.filter(({ profile, operation }) => !seen.has(`${profile} ${operation}`));
}

function loadVerdict(cells: readonly CellReport[], missing: number): LoadReport['verdict'] {
  if (cells.length === 0) return 'not-tested';
  if (cells.some(({ verdict }) => verdict === 'violated')) return 'violated';
  return missing > 0 || cells.some(({ verdict }) => verdict !== 'met') ? 'invalid' : 'met';
}

/** Every cell judged; of several tries of one cell the last decides, and the others are kept beside it. */
export function judgeLoad(records: RunRecords, scope: Scope, judgeCell: JudgeCell): LoadReport {
  const tries = groupBy(
    records.cells
      .filter(({ facts }) => facts.step === undefined)
      .map(({ facts, samples }) => {
        const cell = judgeCell(facts, samples);
        const cut = samples === null && cell.verdict === 'met';
        return cut ? { ...cell, verdict: 'invalid' as const, reasons: ['the samples are missing or cut'] } : cell;
      }),
    ({ profile, operation, facts }) => `${profile} ${operation} ${facts.iteration ?? ''}`,
  );
  const ordered = [...tries.values()].map((group) => [...group].sort((a, b) => a.attempt - b.attempt));
  const place = ({ profile, operation }: CellReport): number => {
    const at = scope.cells.findIndex((cell) => cell.profile === profile && cell.operation === operation);
    return at < 0 ? scope.cells.length : at;
  };
  const cells = ordered.flatMap((group) => group.slice(-1)).sort((a, b) => place(a) - place(b));
  const unjudged: LoadReport = {
    verdict: 'not-tested',
    cells,
    repeated: ordered.flatMap((group) => group.slice(0, -1)),
  };
  return { ...unjudged, verdict: loadVerdict(cells, missingCells(unjudged, scope).length) };
}
