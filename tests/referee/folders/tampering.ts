import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pick } from '../mutations/mutation.ts';

/** What somebody who passes a folder on may aim at. */
export interface Aim {
  readonly random: () => number;
  readonly elsewhere: string;
  /** A file of somebody else, which must be neither changed nor quoted. */
  readonly victim: string;
  readonly victimFolder: string;
  readonly foreign: readonly { readonly family: string; readonly id: string; readonly name: string }[];
}

/** One way to tamper with a run folder. */
export type Tampering = (folder: string, aim: Aim) => void;

export type Members = Record<string, unknown>;

export function edit(folder: string, name: string, change: (value: Members) => unknown): void {
  const path = join(folder, name);
  if (!existsSync(path)) return;
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8'))), null, 1));
}

export function editLines(folder: string, name: string, change: (line: string, at: number) => string): void {
  const path = join(folder, name);
  if (!existsSync(path)) return;
  writeFileSync(path, readFileSync(path, 'utf8').split('\n').map(change).join('\n'));
}

export const append = (folder: string, ...entries: readonly Members[]) => {
  const at = '2026-01-01T00:00:00.000Z';
  writeFileSync(
    join(folder, 'records/journal.ndjson'),
    entries
      .map((entry) => `${JSON.stringify({ at, runId: 'r', family: 'sgt', operation: 'create', ...entry })}\n`)
      .join(''),
    { flag: 'a' },
  );
};

export const filesIn = (folder: string) =>
  ['.', 'records']
    .flatMap((within) => readdirSync(join(folder, within)).map((name) => join(within, name)))
    .filter((name) => lstatSync(join(folder, name)).isFile());
export const RECORDS = [
  ...['run.json', 'records/end.json', 'records/catalogue.json', 'records/dialect.json'],
  ...['records/results.ndjson', 'records/exchanges.ndjson', 'records/histories.ndjson', 'records/journal.ndjson'],
  ...['report.json'],
];
export const OUTPUTS = [
  ...['index.html', 'summary.md', 'report.json', 'junit.xml', 'ctrf.json'],
  ...['records/capacity.html', 'records/capacity.md', '.write-test', 'share', 'records/end.json'],
];
export const PATHS = [
  ...['../../../outside', '..', '.', '/tmp/ers-referee-outside', 'a/b', '', '\u0000'],
  'x'.repeat(5000),
  '-rf',
  '__proto__',
  '\u001b[2J',
  'con',
];

export const odd = (random: () => number): unknown =>
  pick<unknown>(random, [
    ...[null, -1, 4e9, 1e308, true, '', [], {}, '\ud800', '\u001b[2J\n::error::x\n##vso[x]'],
    '<script>alert(1)</script>',
    ...PATHS,
  ]);

export const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
