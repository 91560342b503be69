import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, openForAppend, placeIn, writeWhole } from '../../../lib/records/folder/disk.ts';
import { FILES } from '../../../lib/records/folder/files.ts';
import { groupSync, openRunFolder } from '../../../lib/records/folder/writer.ts';
import { CellFacts } from '../../../lib/records/load/load.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { folderOfTests } from '../../helpers/folder.ts';

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

const scratch = folderOfTests();
const victim = join(scratch, 'victim');
writeFileSync(victim, 'keep');

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('what is written to a run folder', () => {
  it('goes through no link: a report takes its place, records refuse it', () => {
    const run = join(scratch, 'run');
    const writer = openRunFolder(run);
    for (const name of ['summary.md', '.write-test', 'journal.ndjson', 'cells']) symlinkSync(victim, join(run, name));
    writer.file('summary.md', 'report');
    expect(() => openForAppend(join(run, 'journal.ndjson'))).toThrow('ELOOP');
    expect(() => makeFolder(run, 'cells')).toThrow('is a link');
    expect(() => placeIn(run, 'cells/one/facts.json')).toThrow('is a link');
    expect([readFileSync(victim, 'utf8'), readFileSync(join(run, 'summary.md'), 'utf8')]).toEqual(['keep', 'report']);
    writer.close();
    renameSync(run, `${run}-moved`);
    symlinkSync(makeFolder(join(scratch, 'theirs')), run);
    expect(() => writer.file('records/late.json', '{}')).toThrow('is a link');
    expect(readdirSync(run)).toEqual([]);
  });

  it.each(['/proc/x/y', '/dev/null/x'])('is refused at once if its folder cannot be made: %s', (folder) => {
    expect(() => openRunFolder(folder)).toThrow(/^cannot write the run folder \S+: E(NOENT|NOTDIR|EXIST|ACCES|PERM)/);
    expect(() => makeFolder(folder)).toThrow();
  });

  it('is for its owner alone: files 0600 in folders 0700', () => {
    const run = join(scratch, 'new', 'run');
    const writer = openRunFolder(run);
    writer.file('index.html', 'x');
    writer.close();
    expect([modeOf(run), modeOf(join(run, 'index.html'))]).toEqual([0o700, 0o600]);
  });

  it('leaves nothing half written', () => {
    mkdirSync(join(scratch, 'folder'));
    expect(() => writeWhole(join(scratch, 'folder'), 'x')).toThrow();
    expect(statSync(join(scratch, 'folder')).isDirectory()).toBe(true);
  });
});

it('a run folder is opened by one of two runs that begin at the same time, and not where a file would be written over', () => {
  const out = join(scratch, 'twice');
  const first = openRunFolder(out);
  expect(() => openRunFolder(out)).toThrow(/already holds a run/);
  first.close();
  for (const name of [FILES.html, FILES.journal]) {
    const mine = makeFolder(join(scratch, basename(name)));
    writeFileSync(placeIn(mine, name), 'mine');
    expect(() => openRunFolder(mine)).toThrow(`already holds ${name}`);
  }
});

it.each(['../../outside', '..', '.', 'a/b', 'a\\b', 'a\u0000', '', 'x'.repeat(201)])(
  'the id of a cell cannot be %j',
  (id) => {
    expect(CellFacts.safeParse({ ...aCell().facts, id }).success).toBe(false);
  },
);
