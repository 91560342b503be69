import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';

const syncToDisk = promisify(fdatasync);

/**
 * Group commit: syncs a file for many writers at once. The returned function takes how many entries are written so far and
 * resolves when that many are on the disk; a sync serves every entry that was written before it began. Rejects with the
 * error of the system.
 */
export function groupSync(
  descriptor: () => number | undefined,
  sync: (descriptor: number) => Promise<void> = syncToDisk,
): (written: number) => Promise<void> {
  let synced = 0;
  let written = 0;
  let running: Promise<void> | undefined;
  async function run(): Promise<void> {
    const file = descriptor();
    const covered = written;
    try {
      if (file !== undefined) await sync(file);
      synced = covered;
    } finally {
      running = undefined;
    }
  }
  return async (count) => {
    written = Math.max(written, count);
    // The sync under way began before some of these entries: its end is waited for, whatever it is, and the next one counts.
    if (synced < count && running !== undefined) await running.catch(() => undefined);
    if (synced >= count) return;
    running ??= run();
    await running;
  };
}
