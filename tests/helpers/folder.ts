import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const folderOfTests = (): string => mkdtempSync(join(tmpdir(), 'ers-harness-'));
