import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CellPool } from '../plan/cell-spec.ts';

/** Writes the endpoints of a pool as they were read and checked, for this user alone; undefined for a range, which needs no file. */
export function writePoolFile({ source }: CellPool) {
  if (source.kind === 'range') return undefined;
  const text = source.text();
  const folder = mkdtempSync(join(tmpdir(), 'ers-pool-'));
  const path = join(folder, 'pool.csv');
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return {
    path,
    /** Of its content, in hexadecimal digits: the scenario compares it. */
    sha256: createHash('sha256').update(text).digest('hex'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
export type PoolFile = NonNullable<ReturnType<typeof writePoolFile>>;
