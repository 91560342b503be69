import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRunFolder } from '../../../lib/records/folder/writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'ers-one-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a run folder', () => {
  it('is opened by one of two runs that begin at the same time', () => {
    const out = join(folder, 'run');
    const first = openRunFolder(out);
    expect(() => openRunFolder(out)).toThrow(/already holds a run/);
    first.close();
  });
});
