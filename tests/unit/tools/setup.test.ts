import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../lib/package-root.ts';

it('refuses a linked node_modules, and leaves the folder behind the link as it is', () => {
  const clone = mkdtempSync(join(tmpdir(), 'ers-harness-setup-'));
  const other = mkdtempSync(join(tmpdir(), 'ers-harness-other-'));
  try {
    mkdirSync(join(clone, 'tools'));
    copyFileSync(join(packageRoot(), 'tools/setup.mjs'), join(clone, 'tools/setup.mjs'));
    writeFileSync(join(clone, 'package-lock.json'), '{}');
    writeFileSync(join(other, 'kept'), '');
    symlinkSync(other, join(clone, 'node_modules'));
    const { status, stderr } = spawnSync(process.execPath, [join(clone, 'tools/setup.mjs')], { encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('symbolic link') });
    expect(existsSync(join(other, 'kept'))).toBe(true);
  } finally {
    for (const folder of [clone, other]) rmSync(folder, { recursive: true });
  }
});
