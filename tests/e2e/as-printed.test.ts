import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runProgram } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { ofTests, servedOfTests } from '../helpers/served.ts';

const folder = folderOfTests();
const login = { ERS_USERNAME: 'tester', ERS_PASSWORD: 'a-password-for-tests' };
const served = servedOfTests(['--sessions', '50', '--defect', 'M20', '--persona', 'accept'], login);
const mended = servedOfTests(['--sessions', '50'], login);

/** What a run is given that takes a second: the checks of one family. */
const FEW = ['--family', 'sgt', '--check', 'list/', '--check', 'record/read-listed', '--depth', 'quick'];

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(['conformance', '--base-url', served.baseUrl, ...args], { cwd: folder, env: { ...served.env, ...env } });

/** Runs a line of a terminal in the folder where it was printed. */
const typed = (line: string) =>
  runProgram(['bash', '-c', line], { cwd: folder, env: { ...process.env, ...served.env, NO_COLOR: '1' } });

const first = ofTests(() => run(FEW));

/** Curl commands of an output, each with the status that was answered before. */
function curls(stdout: string) {
  return [...stdout.matchAll(/answered +(\d+)[\s\S]*?\n {3}(curl [\s\S]*?)\n(?! {3} )/g)].map(
    ([, status = '', command = '']) => ({ status, command }),
  );
}

describe('what a night prints', () => {
  it('begins with its failures: sentence, request, answer, difference and a curl line', () => {
    expect(first.stdout).toMatch(/^\n1\) \S+ \/ers\/config\/sgt\S* .*answers \d+.* \(\d+ results?/);
    expect(first.stdout).toMatch(/\n {3}sent {6}GET \/ers\/config\/sgt/);
    expect(first.stdout).toMatch(/\n {3}answered {2}\d{3} /);
  });

  it('is answered the same when its curl lines are pasted', async () => {
    const found = curls(first.stdout);
    expect(found.length).toBeGreaterThan(0);
    for (const { status, command } of found) {
      const { stdout, stderr, code } = await typed(command);
      expect([code, stdout.slice(0, 12)], stderr).toEqual([0, `HTTP/1.1 ${status}`]);
    }
  });

  it('ends with a command that can be pasted, and shows what changed on a mended deployment', async () => {
    const next = first.stdout.match(/^next: (.*)$/m)?.[1] ?? '';
    const { code, stdout, stderr } = await typed(`${next} --out same`);
    expect(code, stderr).toBe(1);
    expect(stdout).toMatch(/^replay of .*: the same verdict$/m);
    const other = await typed(`${next.replace(served.baseUrl, mended.baseUrl)} --out mended`);
    expect(other.stdout).toContain('* verdict: fail → pass');
    const compared = async (...runs: readonly [string, string]) => {
      const found = await runCli(['report', 'compare', ...runs, '--json'], { cwd: folder });
      const { newlyFailing, fixed } = JSON.parse(found.stdout).conformance;
      return [found.code, newlyFailing.length, fixed.length];
    };
    // What newly fails ends with exit 1, what is fixed does not.
    expect(await compared('mended', 'same')).toEqual([1, 1, 0]);
    expect(await compared('same', join('mended', 'report.json'))).toEqual([0, 0, 1]);
  });

  it('is repeated for what failed alone, and without what is left out', async () => {
    const again = await run(['--last-failed', '--dry-run', '--json']);
    const { entries } = JSON.parse(again.stdout) as { entries: readonly { key: string }[] };
    expect(entries.map(({ key }) => key.split('|')[0])).toContain('record/read-listed');
    expect(entries.length).toBeLessThan(20);
    const rest = await run([...FEW, '--exclude', 'record/read-listed', '--dry-run', '--json']);
    expect(rest.stdout).not.toContain('record/read-listed');
    expect(rest.stdout).toContain('list/envelope');
  });

  it('annotates new failures on GitHub, and no expected ones', async () => {
    const file = join(folder, 'expected.yaml');
    const red = await run([...FEW, '--update-baseline', file], { GITHUB_ACTIONS: 'true' });
    expect(red.stdout).toMatch(/^::error title=ers-harness::\S+ \/ers\/config\/sgt.* \[\S+\]$/m);
    // What it accepts fails nothing any more.
    expect([red.code, red.stdout]).toEqual([
      0,
      expect.stringMatching(/^Nothing new: \d expected failures? \(exit 0\)$/m),
    ]);
    expect(red.stdout).not.toContain('(exit 1)');
    expect(red.stdout).toMatch(/^1\) /m);
    const green = await run([...FEW, '--baseline', file], { GITHUB_ACTIONS: 'true' });
    expect(green.stdout).not.toContain('::error');
    expect(green.stdout).toMatch(/^Nothing new: \d expected failures?/m);
    expect(green.code).toBe(0);
  });

  it('greets a mended fault, and the printed command takes the line out', async () => {
    const file = join(folder, 'mended.yaml');
    writeFileSync(file, '- { check: list/envelope, family: sgt, reason: known, expires: 2099-01-01 }\n');
    const better = await run([...FEW, '--exclude', 'record/', '--exclude', 'list/complete', '--baseline', file]);
    expect(better.stdout).toMatch(/^Better: 1 .* no longer needed: .*list\/envelope sgt \(\S+mended\.yaml, line 1\)/m);
    expect(better.code).toBe(0);
  });
});

describe('doctor', () => {
  const POOL = ['--endpoints', '02:00:00:00:00:00+40@10.0.0.0', '--policy', 'HARNESS_QUARANTINE'];
  const doctor = (...args: readonly string[]) =>
    runCli(['doctor', '--base-url', served.baseUrl, ...args], { cwd: folder, env: served.env });

  it('writes nothing if the mode is read-only, whatever else is named', async () => {
    const { code, stdout } = await doctor('--mode', 'read-only', ...POOL);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ANC: not tried/)]);
    expect(stdout).not.toContain('apply');
  });

  it('tells of a pool with the addresses of other endpoints, and of the one that was touched', async () => {
    const wrong = ['--endpoints', '02:AA:00:00:00:00+40@10.0.0.0', '--policy', 'HARNESS_QUARANTINE'];
    const { code, stdout } = await doctor(...wrong, '--base-url', mended.baseUrl);
    expect(stdout).toMatch(/^fault ANC: 10\.0\.0\.\d+ is the address of (02:00\S+), not of 02:AA\S+$/m);
    expect(stdout).toMatch(/^fault may be of the run, left alone: ancendpoint 02:00\S+: it held no policy/m);
    expect(code).toBe(5);
  });

  it('tries ANC if no mode is named, and leads on with what it was given, but for the folder that is in use', async () => {
    const { stdout } = await doctor(...POOL, '--out', 'looked', '--insecure');
    expect(stdout).toContain('ANC apply-by-mac');
    expect(stdout).toMatch(
      /^next: .*conformance --base-url \S+ --endpoints 02:\S+ --policy HARNESS_QUARANTINE --insecure --mode full$/m,
    );
  });
});

const bad = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return ['--baseline', file];
};
const cases: readonly (readonly [string, () => readonly string[], RegExp])[] = [
  ['no end date', () => bad('a.yaml', '- family: sgt\n'), /a\.yaml, line 1: expires: missing; it is a date such as/],
  ['an unknown check', () => ['--check', 'list/envelop'], /no check list\/envelop\. Did you mean list\/envelope\?/],
  ['a pool that is none', () => ['--endpoints', 'nowhere'], /nowhere is neither a range nor a readable file/],
  ['a mode without its pool', () => ['--mode', 'full'], /--endpoints, --policy are missing/],
  ['a folder with a run', () => ['--out', 'runs/latest'], /already holds a run[\s\S]*--out .*latest-2/],
];

it.concurrent.each(cases)(
  'a cheap mistake is met before anything is sent, by a dry run too: %s',
  async (name, args, message) => {
    for (const dry of name === 'no end date' ? [['--dry-run'], []] : [['--dry-run']]) {
      const { code, stderr } = await run([...args(), ...dry]);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/Invalid input|ENOENT: no such file or directory, open 'nowhere'$/);
      expect(code).toBe(2);
    }
  },
);
