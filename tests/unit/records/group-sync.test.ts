import { describe, expect, it } from 'vitest';
import { groupSync } from '../../../lib/records/folder/writer.ts';

/** A disk that answers when it is told to. */
function aDisk() {
  const waiting: { readonly resolve: () => void; readonly reject: (fault: Error) => void }[] = [];
  return {
    sync: () => new Promise<void>((resolve, reject) => waiting.push({ resolve, reject })),
    asked: () => waiting.length,
    answer: (at: number) => waiting[at]?.resolve(),
    refuse: (at: number) => waiting[at]?.reject(new Error('no space left on device')),
  };
}

/** Syncs of such a disk, to which three entries were written. */
function synced() {
  const disk = aDisk();
  return { disk, sync: groupSync(() => 3, disk.sync) };
}

async function settled(promise: Promise<void>): Promise<string> {
  const turns = new Promise<string>((resolve) => setImmediate(() => resolve('waits')));
  return Promise.race([promise.then(() => 'synced'), turns]);
}

describe('groupSync', () => {
  it('serves with one sync all that was written before it began, and with none what is on the disk', async () => {
    const { disk, sync } = synced();
    await sync(0);
    expect(disk.asked()).toBe(0);
    const first = sync(1);
    const later = [sync(2), sync(3), sync(4)];
    disk.answer(0);
    await first;
    expect(await settled(later[0] as Promise<void>)).toBe('waits');
    expect(disk.asked()).toBe(2);
    disk.answer(1);
    await Promise.all(later);
    expect(disk.asked()).toBe(2);
  });

  it('refuses all who wait for a sync that fails, and tries again for the next', async () => {
    const { disk, sync } = synced();
    const first = sync(1);
    disk.refuse(0);
    await expect(first).rejects.toThrow('no space left');
    const again = sync(1);
    disk.answer(1);
    await again;
    expect(disk.asked()).toBe(2);
  });

  it('does not take the sync of an earlier entry for one of its own', async () => {
    const { disk, sync } = synced();
    const first = sync(1);
    const second = sync(2);
    disk.refuse(0);
    await expect(first).rejects.toThrow();
    expect(await settled(second)).toBe('waits');
    disk.answer(1);
    await second;
  });
});
