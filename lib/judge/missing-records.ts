import type { RunRecords } from '../records/folder/reader.ts';

/** Where fewer or more records are there than the run says it wrote: a file was cut between two lines, or added to. */
export function missingRecords(records: RunRecords): readonly string[] {
  const recorded = records.end?.recorded;
  if (recorded === undefined) return [];
  return (['results', 'exchanges', 'histories', 'journal', 'cells'] as const)
    .map((name) => ({ name, there: records[name]?.length ?? 0 }))
    .filter(({ name, there }) => recorded[name] !== there)
    .map(({ name, there }) => `${there} of ${recorded[name]} ${name} are there`);
}
