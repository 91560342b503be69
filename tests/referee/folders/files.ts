import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changed, pick } from '../mutations/mutation.ts';
import { deep, edit, editLines, filesIn, OUTPUTS, odd, PATHS, RECORDS, type Tampering } from './tampering.ts';

/** Folders of the cells of a run. */
function cellsIn(folder: string): readonly string[] {
  const cells = join(folder, 'records/cells');
  return (existsSync(cells) ? readdirSync(cells) : []).map((name) => join(cells, name));
}

const LINES = ['results', 'exchanges', 'journal'].map((name) => `records/${name}.ndjson`);

/** Files that are links, cut, odd, huge, deep, missing or of another kind. */
export const FILE_TAMPERINGS: Readonly<Record<string, Tampering>> = {
  'cell/id': (folder, { random }) => {
    for (const cell of cellsIn(folder)) edit(cell, 'facts.json', (facts) => ({ ...facts, id: pick(random, PATHS) }));
  },
  'cell/facts': (folder, { random }) => {
    for (const cell of cellsIn(folder)) edit(cell, 'facts.json', (facts) => changed(facts, random, () => odd(random)));
  },
  'cell/samples': (folder, { random }) => {
    for (const cell of cellsIn(folder)) {
      const path = join(cell, 'samples.bin');
      const bytes = readFileSync(path);
      for (let at = 0; at < 40; at += 1)
        bytes[Math.floor(random() * Math.min(64, bytes.length))] = Math.floor(random() * 256);
      writeFileSync(path, random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes);
    }
  },
  'link/output': (folder, { random, victim, victimFolder }) => {
    const path = join(folder, pick(random, OUTPUTS));
    rmSync(path, { recursive: true, force: true });
    symlinkSync(path.endsWith('share') ? victimFolder : victim, path);
  },
  'link/record': (folder, { random, victim }) => {
    const path = join(folder, pick(random, RECORDS));
    rmSync(path, { force: true });
    symlinkSync(victim, path);
  },
  'link/cells': (folder, { victimFolder }) => {
    rmSync(join(folder, 'records/cells'), { recursive: true, force: true });
    symlinkSync(victimFolder, join(folder, 'records/cells'));
  },
  'json/somewhere': (folder, { random }) =>
    edit(
      folder,
      pick(random, ['run.json', 'records/end.json', 'records/catalogue.json', 'records/dialect.json', 'report.json']),
      (value) => changed(value, random, () => odd(random)),
    ),
  'lines/somewhere': (folder, { random }) =>
    editLines(folder, pick(random, LINES), (line) =>
      line === '' || random() < 0.7 ? line : JSON.stringify(changed(JSON.parse(line), random, () => odd(random))),
    ),
  'lines/cut': (folder, { random }) =>
    editLines(folder, pick(random, LINES), (line) =>
      random() < 0.9 ? line : line.slice(0, Math.floor(random() * line.length)),
    ),
  'file/deep': (folder, { random }) =>
    writeFileSync(join(folder, pick(random, RECORDS)), random() < 0.5 ? deep : `{"a":${deep}}\n`),
  'file/binary': (folder, { random }) =>
    writeFileSync(
      join(folder, pick(random, filesIn(folder))),
      Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256))),
    ),
  'file/huge-line': (folder, { random }) =>
    writeFileSync(join(folder, pick(random, RECORDS)), `{"x":"${'y'.repeat(8_000_000)}"}\n`),
  'file/gone': (folder, { random }) => rmSync(join(folder, pick(random, filesIn(folder)))),
  'file/folder': (folder, { random }) => {
    const path = join(folder, pick(random, RECORDS));
    rmSync(path, { force: true });
    mkdirSync(path);
  },
  'baseline/odd': (folder, { random }) => {
    const entry = { check: '__proto__', family: 'sgt', reason: '\u001b[2J', link: 'javascript:alert(1)' };
    const odd = [[{ ...entry, owner: 'x', expires: '2099-01-01' }], 7, { entries: [] }, [null]];
    writeFileSync(join(folder, 'records/baseline.json'), JSON.stringify(pick<unknown>(random, odd)));
  },
};
