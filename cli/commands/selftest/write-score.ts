import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writing } from '../../output/writing.ts';

/** Writes the files of a score into a folder, which is made if it is missing; nothing where none is named. Throws `UsageError`. */
export function writeScore(folder: string | undefined, files: Readonly<Record<string, string>>): void {
  if (folder === undefined) return;
  writing(folder, '--out', () => {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`);
  });
}
