import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, writeWhole } from '../folder/disk.ts';
import { FILES } from '../folder/files.ts';
import { CellFacts } from '../load/load.ts';
import { encodeSamples, type Samples } from '../load/samples.ts';
import { RunEnd } from '../run.ts';

/** Folder within a run folder that holds one run folder for each generator. */
const SEGMENTS = 'segments';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Writes the record of one segment of a cell into a run folder of its own, which `report merge` reads. */
export function writeSegment(runFolder: string, facts: CellFacts, samples: Samples): void {
  if (facts.segment === undefined) throw new Error(`${facts.id} is no segment`);
  const folder = makeFolder(makeFolder(runFolder, SEGMENTS), String(facts.segment.index + 1));
  const cell = makeFolder(makeFolder(folder, FILES.cells), CellFacts.parse(facts).id);
  for (const name of [FILES.header, FILES.catalogue]) {
    if (!existsSync(join(folder, name))) writeWhole(join(folder, name), readFileSync(join(runFolder, name), 'utf8'));
  }
  writeWhole(join(cell, FILES.samples), encodeSamples(samples));
  writeWhole(join(cell, FILES.facts), json(CellFacts.parse(facts)));
}

/** Closes the segments' folders of a run with its last record; without one they count as cut. Nothing to do where there are none. */
export function closeSegments(runFolder: string): void {
  const segments = join(runFolder, SEGMENTS);
  if (!existsSync(segments)) return;
  const end = RunEnd.parse(JSON.parse(readFileSync(join(runFolder, FILES.end), 'utf8')));
  for (const name of readdirSync(segments)) {
    const cells = readdirSync(join(segments, name, FILES.cells)).length;
    const recorded = { results: 0, exchanges: 0, journal: 0, cells };
    writeWhole(join(segments, name, FILES.end), json({ ...end, recorded }));
  }
}
