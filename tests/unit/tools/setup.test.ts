import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../lib/package-root.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const [clone, other] = [folderOfTests(), folderOfTests()];

it('refuses a linked node_modules, and leaves the folder behind the link as it is', () => {
  mkdirSync(join(clone, 'tools'));
  copyFileSync(join(packageRoot(), 'tools/setup.mjs'), join(clone, 'tools/setup.mjs'));
  writeFileSync(join(clone, 'package-lock.json'), '{}');
  writeFileSync(join(other, 'kept'), '');
  symlinkSync(other, join(clone, 'node_modules'));
  const { status, stderr } = spawnSync(process.execPath, [join(clone, 'tools/setup.mjs')], { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('symbolic link') });
  expect(existsSync(join(other, 'kept'))).toBe(true);
});
