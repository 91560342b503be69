import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { releaseLock, takeLock } from '../../../lib/file-lock.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const folder = folderOfTests();
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
