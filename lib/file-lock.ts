import { rmSync, statSync, writeFileSync } from 'node:fs';
import { MIB, plainText } from './plain-file.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True if the holder of a lock is gone: killed while it worked, or silent for longer than its work can take. */
function isStale(lock: string, staleMs: number): boolean {
  try {
    const text = plainText(lock, MIB);
    // A lock of another program, by its form.
    if (!/^\d*$/.test(text)) return false;
    const pid = Number(text);
    // The number is written right after the file is made.
    return Date.now() - statSync(lock).mtimeMs > staleMs || (pid > 0 && !isAlive(pid));
  } catch {
    return false;
  }
}

function create(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fault;
  }
}

/** Removing a stale lock takes milliseconds. */
const REMOVAL_MS = 20_000;

/** Removes a lock whose holder is gone. One process at a time looks and removes: the lock of the next holder stays. */
function breakStale(lock: string, staleMs: number): void {
  const turn = `${lock}.turn`;
  if (!create(turn)) {
    if (isStale(turn, REMOVAL_MS)) rmSync(turn, { force: true });
    return;
  }
  try {
    if (isStale(lock, staleMs)) rmSync(lock, { force: true });
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Takes a lock file, or answers false if another holds it. One whose holder is dead, or too old, is removed for the next try. */
export function takeLock(lock: string, staleMs: number = Number.POSITIVE_INFINITY): boolean {
  if (create(lock)) return true;
  if (isStale(lock, staleMs)) breakStale(lock, staleMs);
  return false;
}

export function releaseLock(lock: string): void {
  rmSync(lock, { force: true });
}
