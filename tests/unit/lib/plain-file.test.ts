import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBaseline } from '../../../cli/options/baseline/read-baseline.ts';
import { readAuthority } from '../../../cli/options/client-certificate.ts';
import { readTemplates } from '../../../cli/options/templates.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { readDefinition } from '../../../lib/families/import/document.ts';
import { readFamilies } from '../../../lib/families/read.ts';
import { releaseLock, takeLock } from '../../../lib/file-lock.ts';
import { oldNode } from '../../../lib/package-root.ts';
import { plainText } from '../../../lib/plain-file.ts';
import { YamlFile } from '../../../lib/yaml-file.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const folder = folderOfTests();

const READERS: Readonly<Record<string, (path: string) => unknown>> = {
  definition: readDefinition,
  families: readFamilies,
  config: (path) => new YamlFile(path),
  template: (path) => readTemplates([path]),
  authority: readAuthority,
  baseline: (path) => readBaseline(path),
  endpoints: (path) => readPool(path),
};

describe.skipIf(process.platform === 'win32')('a file that a user names', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);

  it.each(Object.entries(READERS))('is a plain one, else it is refused and not waited for: %s', (_, read) => {
    for (const path of [pipe, '/dev/zero']) expect(() => read(path)).toThrow(/no plain file/);
  });

  it('is no lock that anybody waits for', () => expect(takeLock(pipe)).toBe(false));

  it('is not read beyond its bound', () => {
    const path = join(folder, 'long');
    writeFileSync(path, 'x'.repeat(2049));
    expect(() => plainText(path, 2048)).toThrow('it is larger than 2 KiB');
    expect(plainText(path, 2049)).toHaveLength(2049);
  });
});

const aLock = () => join(mkdtempSync(join(folder, 'lock-')), 'a.lock');

describe('a lock file', () => {
  it('is held by one until it is given back', () => {
    const lock = aLock();
    expect([takeLock(lock), takeLock(lock)]).toEqual([true, false]);
    releaseLock(lock);
    expect(takeLock(lock)).toBe(true);
  });

  it('of a dead process is removed for the next try', () => {
    const lock = aLock();
    writeFileSync(lock, String(spawnSync(process.execPath, ['--version']).pid));
    expect([takeLock(lock), existsSync(lock), takeLock(lock)]).toEqual([false, false, true]);
  });

  it('of another program is left alone, however old it is', () => {
    const lock = aLock();
    writeFileSync(lock, '# made by a package manager');
    utimesSync(lock, 0, 0);
    expect([takeLock(lock, 1000), takeLock(lock, 1000), existsSync(lock)]).toEqual([false, false, true]);
  });

  it('of a living process goes stale only where its work is bounded', () => {
    const lock = aLock();
    writeFileSync(lock, String(process.pid));
    utimesSync(lock, 0, 0);
    expect([takeLock(lock), takeLock(lock), takeLock(lock, 1000), takeLock(lock)]).toEqual([false, false, false, true]);
  });
});

it.each([
  ['20.20.2', 'Node 20 has ended: use Node 22 or later'],
  ['21.7.3', 'Node 21 has ended: use Node 22 or later'],
  ['22.0.0', undefined],
  ['26.1.0', undefined],
])('of Node %s says %s', (release, said) => {
  expect(oldNode(release)).toBe(said);
});
