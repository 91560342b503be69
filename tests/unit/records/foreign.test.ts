import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FILES } from '../../../lib/records/folder/files.ts';
import { readRunFolder } from '../../../lib/records/folder/reader.ts';
import { CellFacts } from '../../../lib/records/load/load.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { aCatalogue, anEnd, writeRun } from '../../helpers/a-run.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const SECRET = 'root-of-another-machine';
const folder = folderOfTests();
const whole = join(folder, 'whole');
let scratch: string;
let run: string;

beforeAll(() => writeRun(whole, { catalogue: aCatalogue(), cells: [aCell()], end: anEnd() }));
beforeEach(() => {
  scratch = mkdtempSync(join(folder, 'of-test-'));
  run = join(scratch, 'run');
  cpSync(whole, run, { recursive: true });
  writeFileSync(join(scratch, 'victim'), `${SECRET}:x:0:0\n{"${SECRET}":`);
});

/** What may stand in the place of a file. */
const STRANGERS: Readonly<Record<string, (path: string) => unknown>> = {
  'a folder': (path) => mkdirSync(path),
  'a pipe that nobody writes to': (path) => void execFileSync('mkfifo', [path]),
  'a link to another file': (path) => symlinkSync(join(scratch, 'victim'), path),
  'a link to a folder of cells': (path) => symlinkSync(join(whole, FILES.cells), path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a device without an end': (path) => symlinkSync('/dev/zero', path),
  'a socket': (path) =>
    new Promise((resolve) => {
      const server = createServer().listen(path, () => resolve(server));
      server.unref();
    }),
  'text that is no JSON': (path) => writeFileSync(path, `${SECRET} {`),
  'a file that is far too large': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 * 1024 ** 3);
  },
};
const CELL = aCell().facts.id;
const FILE_NAMES = [
  ...[FILES.header, FILES.catalogue, FILES.dialect, FILES.end, FILES.baseline],
  ...[FILES.results, FILES.exchanges, FILES.histories, FILES.journal, FILES.cells],
  ...[join(FILES.cells, CELL, FILES.facts), join(FILES.cells, CELL, FILES.samples)],
];

describe.each(Object.entries(STRANGERS))('a run folder with %s in it', (what, put) => {
  it.each(FILE_NAMES)('in the place of %s is damaged, and nothing of the other file is quoted', async (name) => {
    rmSync(join(run, name), { recursive: true, force: true });
    await put(join(run, name));
    let told = '';
    try {
      told = readRunFolder(run).damage.join('\n');
    } catch (fault) {
      told = String(fault);
      expect(told).toContain('no readable run.json');
    }
    const isFine = what === 'a folder' && name === FILES.cells;
    expect(told).toContain(isFine ? '' : name.split('/')[0]);
    expect(told).not.toContain(SECRET);
  });
});

it.each([
  ['that are empty', '\n', 0],
  ['that are no records', 'x\n', 102],
])(
  'a run folder with millions of lines %s is read in bounded memory, and says a hundred of them',
  (_, line, damage) => {
    writeFileSync(join(run, FILES.journal), Buffer.alloc(4 * 1024 * 1024, line));
    expect(readRunFolder(run).damage.length).toBe(damage);
  },
);

it.each([
  { durationSeconds: 1e308 },
  { bucketSeconds: 1e-300 },
  { targetPerSecond: 1e300 },
  { durationSeconds: 1e6, bucketSeconds: 1 },
])('facts of a cell whose figures would fill the memory are no facts: %j', (more) => {
  const { facts } = aCell();
  const read = (plan: object) => CellFacts.safeParse({ ...facts, plan: { ...facts.plan, ...plan } }).success;
  expect([read({}), read(more)]).toEqual([true, false]);
});
