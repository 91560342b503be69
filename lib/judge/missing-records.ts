import type { RunRecords } from '../records/folder/reader.ts';

/** Where fewer or more records are there than the run says it wrote: a file was cut between two lines, or added to. */
export function missingRecords({ end, results, exchanges, journal, cells }: RunRecords): readonly string[] {
  const recorded = end?.recorded;
  if (recorded === undefined) return [];
  const there = { results: results.length, exchanges: exchanges.length, journal: journal.length, cells: cells.length };
  return (['results', 'exchanges', 'journal', 'cells'] as const)
    .filter((name) => recorded[name] !== there[name])
    .map((name) => `${there[name]} of ${recorded[name]} ${name} are there`);
}
