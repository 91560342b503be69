import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, UsageError } from '../../../lib/errors.ts';

/** Writes a score into a folder, which is made if it is missing. Throws `UsageError` if that fails. */
export function writeScore(folder: string | undefined, name: string, text: string): void {
  if (folder === undefined) return;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), `${text}\n`);
  } catch (cause) {
    throw new UsageError('out-not-writable', `cannot write into ${folder}: ${messageOf(cause)}`, { cause });
  }
}
