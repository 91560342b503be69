import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pick } from '../mutations/mutation.ts';
import {
  deep,
  edit,
  editLines,
  filesIn,
  OUTPUTS,
  odd,
  PATHS,
  RECORDS,
  somewhere,
  type Tampering,
} from './tampering.ts';

/** Files that are links, cut, odd, huge, deep, missing or of another kind. */
export const FILE_TAMPERINGS: readonly Tampering[] = [
  {
    id: 'cell/id',
    apply: (folder, { random }) => {
      const cells = join(folder, 'records/cells');
      for (const name of existsSync(cells) ? readdirSync(cells) : [])
        edit(join(cells, name), 'facts.json', (facts) => ({ ...facts, id: pick(random, PATHS) }));
    },
  },
  {
    id: 'cell/facts',
    apply: (folder, { random }) => {
      const cells = join(folder, 'records/cells');
      for (const name of existsSync(cells) ? readdirSync(cells) : [])
        edit(join(cells, name), 'facts.json', (facts) => somewhere(facts, random, odd(random)));
    },
  },
  {
    id: 'cell/samples',
    apply: (folder, { random }) => {
      const cells = join(folder, 'records/cells');
      for (const name of existsSync(cells) ? readdirSync(cells) : []) {
        const path = join(cells, name, 'samples.bin');
        const bytes = readFileSync(path);
        for (let at = 0; at < 40; at += 1)
          bytes[Math.floor(random() * Math.min(64, bytes.length))] = Math.floor(random() * 256);
        writeFileSync(path, random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes);
      }
    },
  },
  {
    id: 'link/output',
    apply: (folder, { random, victim, victimFolder }) => {
      const path = join(folder, pick(random, OUTPUTS));
      rmSync(path, { recursive: true, force: true });
      symlinkSync(path.endsWith('share') ? victimFolder : victim, path);
    },
  },
  {
    id: 'link/record',
    apply: (folder, { random, victim }) => {
      const path = join(folder, pick(random, RECORDS));
      rmSync(path, { force: true });
      symlinkSync(victim, path);
    },
  },
  {
    id: 'link/cells',
    apply: (folder, { victimFolder }) => {
      rmSync(join(folder, 'records/cells'), { recursive: true, force: true });
      symlinkSync(victimFolder, join(folder, 'records/cells'));
    },
  },
  {
    id: 'json/somewhere',
    apply: (folder, { random }) =>
      edit(
        folder,
        pick(random, ['run.json', 'records/end.json', 'records/catalogue.json', 'records/dialect.json', 'report.json']),
        (value) => somewhere(value, random, odd(random)),
      ),
  },
  {
    id: 'lines/somewhere',
    apply: (folder, { random }) =>
      editLines(
        folder,
        pick(random, ['records/results.ndjson', 'records/exchanges.ndjson', 'records/journal.ndjson']),
        (line) =>
          line === '' || random() < 0.7 ? line : JSON.stringify(somewhere(JSON.parse(line), random, odd(random))),
      ),
  },
  {
    id: 'lines/cut',
    apply: (folder, { random }) =>
      editLines(
        folder,
        pick(random, ['records/results.ndjson', 'records/exchanges.ndjson', 'records/journal.ndjson']),
        (line) => (random() < 0.9 ? line : line.slice(0, Math.floor(random() * line.length))),
      ),
  },
  {
    id: 'file/deep',
    apply: (folder, { random }) =>
      writeFileSync(join(folder, pick(random, RECORDS)), random() < 0.5 ? deep : `{"a":${deep}}\n`),
  },
  {
    id: 'file/binary',
    apply: (folder, { random }) =>
      writeFileSync(
        join(folder, pick(random, filesIn(folder))),
        Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256))),
      ),
  },
  {
    id: 'file/huge-line',
    apply: (folder, { random }) =>
      writeFileSync(join(folder, pick(random, RECORDS)), `{"x":"${'y'.repeat(8_000_000)}"}\n`),
  },
  { id: 'file/gone', apply: (folder, { random }) => rmSync(join(folder, pick(random, filesIn(folder)))) },
  {
    id: 'file/folder',
    apply: (folder, { random }) => {
      const path = join(folder, pick(random, RECORDS));
      rmSync(path, { force: true });
      mkdirSync(path);
    },
  },
  {
    id: 'baseline/odd',
    apply: (folder, { random }) =>
      writeFileSync(
        join(folder, 'records/baseline.json'),
        JSON.stringify(
          pick<unknown>(random, [
            [
              {
                check: '__proto__',
                family: 'sgt',
                reason: '\u001b[2J',
                owner: 'x',
                link: 'javascript:alert(1)',
                expires: '2099-01-01',
              },
            ],
            7,
            { entries: [] },
            [null],
          ]),
        ),
      ),
  },
];
