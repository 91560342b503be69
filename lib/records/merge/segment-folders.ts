import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeIn, writeWhole } from '../folder/disk.ts';
import { FILES } from '../folder/files.ts';
import { writeCell } from '../folder/writer.ts';
import { CellFacts } from '../load/load.ts';
import { RunEnd } from '../run.ts';
import type { CountedPart } from './cells.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Writes what each of several processes recorded of a cell into a run folder of its own, which `report merge` reads. */
export function writeSegments(
  runFolder: string,
  { segments: _, ...common }: CellFacts,
  parts: readonly (CountedPart & Pick<CellFacts, 'generator'>)[],
  planHash: string,
): void {
  for (const { index, of, startUs, samples, counts, failures, generator } of parts) {
    const home = `${FILES.segments}/${index + 1}`;
    for (const name of [FILES.header, FILES.catalogue]) {
      const place = placeIn(runFolder, `${home}/${name}`);
      if (!existsSync(place)) writeWhole(place, readFileSync(join(runFolder, name), 'utf8'));
    }
    const segment = { index, of, startUs, planHash };
    const facts = CellFacts.parse({ ...common, counts, failures, generator, segment });
    writeCell(join(runFolder, home), facts, samples);
  }
}

/** Closes the segments' folders of a run with its last record; without one they count as cut. Nothing to do where there are none. */
export function closeSegments(runFolder: string): void {
  const segments = join(runFolder, FILES.segments);
  if (!existsSync(segments)) return;
  const end = RunEnd.parse(JSON.parse(readFileSync(join(runFolder, FILES.end), 'utf8')));
  for (const name of readdirSync(segments)) {
    const cells = readdirSync(join(segments, name, FILES.cells)).length;
    const recorded = { results: 0, exchanges: 0, journal: 0, cells };
    writeWhole(join(segments, name, FILES.end), json({ ...end, recorded }));
  }
}
