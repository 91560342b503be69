import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeIn, writeWhole } from '../folder/disk.ts';
import { FILES } from '../folder/files.ts';
import { writeCell } from '../folder/writer.ts';
import { CellFacts } from '../load/load.ts';
import type { Samples } from '../load/samples.ts';
import { RunEnd } from '../run.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Writes the record of one segment of a cell into a run folder of its own, which `report merge` reads. */
export function writeSegment(runFolder: string, facts: CellFacts, samples: Samples): void {
  if (facts.segment === undefined) throw new Error(`${facts.id} is no segment`);
  const folder = join(runFolder, FILES.segments, String(facts.segment.index + 1));
  for (const name of [FILES.header, FILES.catalogue]) {
    const place = placeIn(runFolder, `${FILES.segments}/${facts.segment.index + 1}/${name}`);
    if (!existsSync(place)) writeWhole(place, readFileSync(join(runFolder, name), 'utf8'));
  }
  writeCell(folder, CellFacts.parse(facts), samples);
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
