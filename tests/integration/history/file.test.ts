import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { protectOutgoing } from '../../../lib/outgoing.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { appendHistory, mergeIntoHistory, readHistory } from '../../../reports/history/file/append.ts';
import { lineOf } from '../../../reports/history/record/line-of.ts';
import { aMixedReport } from '../../helpers/a-report.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { EXAMPLE_YEAR, simulatedHistory } from '../../helpers/simulated-history.ts';

const lines = simulatedHistory(30, EXAMPLE_YEAR);
let folder = folderOfTests();
const file = () => join(folder, 'history.ndjson');
const made = () => join(folder, 'lines.json');

afterEach(() => {
  folder = folderOfTests();
});

/** Runs TypeScript of a test in a process of its own, with the history and what is needed to write to it. */
function program(script: string) {
  const at = (path: string) => JSON.stringify(join(packageRoot(), path));
  const source = `
    import { readFileSync, writeSync } from 'node:fs';
    import { appendHistory } from ${at('reports/history/file/append.ts')};
    const [file, lines] = [${JSON.stringify(file())}, JSON.parse(readFileSync(${JSON.stringify(made())}, 'utf8'))];
    ${script}`;
  writeFileSync(made(), JSON.stringify(lines));
  const tsx = join(packageRoot(), 'node_modules', 'tsx', 'dist', 'loader.mjs');
  const args = ['--import', tsx, '--input-type=module', '--eval', source];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Appends the example's lines from `from` to `to` in a process of its own. */
const appender = (from: number, to: number) =>
  program(`for (const line of lines.slice(${from}, ${to})) appendHistory(file, () => [line]);`);

const ended = (child: ReturnType<typeof appender>) => new Promise((resolve) => child.once('close', resolve));

describe('a history file', () => {
  it('gets back every line as it was written, in the order of the nights', () => {
    for (const line of [...lines].reverse()) appendHistory(file(), () => [line]);
    expect(readHistory(file())).toEqual({ lines, skipped: [] });
    expect(statSync(file()).mode & 0o077).toBe(0);
  });

  it('holds a full night in at most 50 KB', () => {
    appendHistory(file(), () => lines.slice(0, 1));
    expect(statSync(file()).size).toBeLessThan(50_000);
  });

  it('loses nothing where three processes append at once', async () => {
    await Promise.all([appender(0, 10), appender(10, 20), appender(20, 30)].map(ended));
    expect(readHistory(file())).toEqual({ lines, skipped: [] });
    expect(existsSync(`${file()}.lock`)).toBe(false);
  });

  it('takes over the lock of a process that was killed, and mends the line that it cut', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    appendHistory(file(), () => lines.slice(0, 2));
    appendFileSync(file(), JSON.stringify(lines[2]).slice(0, 900));
    writeFileSync(`${file()}.lock`, String(pid));
    appendHistory(file(), () => lines.slice(3, 4));
    expect(readHistory(file())).toEqual({ lines: [lines[0], lines[1], lines[3]], skipped: [] });
  });

  it('loses no line that was written, and keeps no half one, where its writer is killed', async () => {
    const child = program(`
      for (let n = 0; ; n += 1) {
        appendHistory(file, () => lines.slice(0, 3).map((line, i) => ({ ...line, run: String(3 * n + i) })));
        writeSync(1, '.');
      }`);
    let written = 0;
    child.stdout.on('data', (piece: Buffer) => {
      written += piece.length;
      if (written > 20) child.kill('SIGKILL');
    });
    await ended(child);
    const last = { ...lines[0], run: 'after' } as (typeof lines)[number];
    appendHistory(file(), () => [last]);
    const { lines: held, skipped } = readHistory(file());
    const runs = held.map(({ run }) => run).filter((run) => run !== 'after');
    expect(skipped).toEqual([]);
    expect(runs.length).toBeGreaterThanOrEqual(3 * written);
    expect(new Set(runs)).toEqual(new Set(runs.map((_, at) => String(at))));
    expect(existsSync(`${file()}.lock`)).toBe(false);
  });

  it('holds neither the login of the run nor a command of a CI system', () => {
    protectOutgoing((text) => text.replaceAll('hunter2hunter2', '***'));
    const reasons = ['password hunter2hunter2', '##vso[task.complete]', '::set-output name=a::b'];
    try {
      appendHistory(file(), () => [{ ...(lines[0] as (typeof lines)[number]), reasons }]);
    } finally {
      protectOutgoing((text) => text);
    }
    const text = readFileSync(file(), 'utf8');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('##vso[');
    expect(readHistory(file()).lines[0]?.reasons).toEqual(['password ***', ...reasons.slice(1)]);
  });

  it('gives a line that only lost its end the end back', () => {
    writeFileSync(file(), JSON.stringify(lines[0]));
    appendHistory(file(), () => lines.slice(1, 2));
    expect(readHistory(file()).lines).toHaveLength(2);
  });

  it('says which lines it does not use, in words that do nothing, and keeps them', () => {
    const hostile = [
      'not json',
      '[]',
      '{"v":2,"new":true}',
      `{"v":1,"run":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      JSON.stringify({ ...lines[0], run: '\u001b[2J', exit: 'x' }),
      '{"__proto__":{"polluted":1}}',
      JSON.stringify({ ...lines[0], target: 'x'.repeat(5000) }),
    ];
    appendHistory(file(), () => lines.slice(0, 1));
    appendFileSync(file(), `${hostile.join('\n')}\n`);
    const { lines: used, skipped } = readHistory(file());
    expect(used).toHaveLength(1);
    expect(skipped).toHaveLength(hostile.length);
    expect(skipped.join('\n')).not.toContain('\u001b');
    expect(skipped[2]).toContain('newer version (2)');
    expect(readFileSync(file(), 'utf8')).toContain('"new":true');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it.each([
    ...['{"other":1}\n{"cut', 'TOKEN=abc', '[1]\n'],
    ...['{"v":1,"note":"of another program"}\n{"v":2,"half', '{"v":3,\n "settings":{}}'],
  ])('is no file that begins as %j: nothing is written to it', (text) => {
    writeFileSync(file(), text);
    expect(() => appendHistory(file(), () => lines.slice(0, 1))).toThrow(/is no history/);
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  it('takes no run twice when histories are merged', () => {
    appendHistory(file(), () => lines.slice(0, 20));
    expect(mergeIntoHistory(file(), lines.slice(10))).toBe(10);
    expect(mergeIntoHistory(file(), lines)).toBe(0);
    expect(readFileSync(file(), 'utf8').trimEnd().split('\n')).toHaveLength(30);
  });

  it('is not written through a link, nor to a pipe, which never ends', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, file());
    expect(() => appendHistory(file(), () => lines.slice(0, 1))).toThrow('is a link');
    execFileSync('mkfifo', [`${victim}.pipe`]);
    expect(() => appendHistory(`${victim}.pipe`, () => lines.slice(0, 1))).toThrow('no file');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });
});

it('the line of a run holds every result, cell and reason of its report, and no text that acts', () => {
  const report = aMixedReport();
  const line = lineOf(report, 'folder');
  const letters = Object.values(line.checks).flatMap(({ r }) => [...r.join('')].filter((letter) => letter !== '.'));
  expect(letters).toHaveLength(report.conformance?.results.length ?? -1);
  expect(line.cells).toHaveLength(report.load?.cells.length ?? -1);
  expect(line.exit).toBe(report.exit.code);
  expect(JSON.stringify(line)).not.toMatch(/[\u202e\u2028]/);
});
