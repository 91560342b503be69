import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What tests, and the programs that they start, put in the folder for temporary files goes with the last test. */
export default function temporaryFolder(): () => void {
  const path = mkdtempSync(join(tmpdir(), 'ers-tests-'));
  process.env['TMPDIR'] = path;
  return () => rmSync(path, { recursive: true, force: true });
}
