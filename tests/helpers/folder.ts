import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function folderOfTests(): string {
  const path = mkdtempSync(join(tmpdir(), 'ers-harness-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
