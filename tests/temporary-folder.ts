import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What tests, and the programs that they start, put in the folder for temporary files goes with the last test.
const path = mkdtempSync(join(tmpdir(), 'ers-tests-'));

export function setup(): void {
  process.env['TMPDIR'] = path;
}

export function teardown(): void {
  rmSync(path, { recursive: true, force: true });
}
