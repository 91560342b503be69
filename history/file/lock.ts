import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { UsageError } from '../../lib/errors.ts';

const WAIT_MS = 20;
/** An append takes milliseconds: a lock this old is of a process that is gone. */
const STALE_MS = 20_000;
const PATIENCE_MS = 30_000;

const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True where the holder of a lock is gone: killed while it wrote, or on another machine and long silent. */
function isStale(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    const ageMs = Date.now() - statSync(lock).mtimeMs;
    // The number is written right after the file is made.
    return ageMs > STALE_MS || (pid > 0 && !isAlive(pid));
  } catch {
    return false;
  }
}

/** Removes a lock whose holder is gone. One process at a time looks and removes: the lock of the next holder stays. */
function breakStale(lock: string): void {
  const turn = `${lock}.turn`;
  if (!taken(turn)) {
    if (isStale(turn)) rmSync(turn, { force: true });
    return;
  }
  try {
    if (isStale(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(turn, { force: true });
  }
}

function taken(lock: string): boolean {
  try {
    const descriptor = openSync(lock, 'wx', 0o600);
    writeSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fault;
  }
}

/** Does the work while no other process holds `<file>.lock`. Throws `UsageError` where it stays held. */
export function locked<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  const until = Date.now() + PATIENCE_MS;
  while (!taken(lock)) {
    if (isStale(lock)) breakStale(lock);
    else if (Date.now() > until) {
      throw new UsageError('history-locked', `another run holds ${lock}`, {
        hint: 'remove the lock if no run is under way',
      });
    }
    sleep(WAIT_MS);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}
