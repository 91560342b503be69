import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findK6 } from '../../load/k6/binary/binary.ts';
import { reportIn, runProgram } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { stubTarget } from '../helpers/stub-target.ts';
import { pack } from '../helpers/tarball.ts';

/** Node versions that users run; the npm package `node` brings each of them. */
const VERSIONS = ['22', '24', '26'];
/** Somebody else than who installed it, where this test may become somebody else. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const scratch = folderOfTests();
const home = join(scratch, 'home');
const folder = join(scratch, 'empty');
let tarball = '';
/** Folder of a k6 that everybody may run. */
const bin = join(scratch, 'bin');

function npm(cwd: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('npm', [...args, '--no-fund', '--no-audit', '--prefer-offline'], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm ${args[0]} ended with ${status}: ${stderr}`);
}

beforeAll(async () => {
  for (const path of [home, folder, bin]) mkdirSync(path, { recursive: true });
  for (const path of [scratch, home, folder]) chmodSync(path, 0o777);
  tarball = join(scratch, pack(scratch).filename);
  npm(folder, 'install', tarball);
  copyFileSync((await findK6()).path, join(bin, 'k6'));
});

const program = () => join(folder, 'node_modules', '.bin', 'ers-harness');

describe('the package, installed in an empty folder', () => {
  it.each(VERSIONS)('verifies the embedded deployment on Node %s, as another user', async (version) => {
    const place = join(scratch, `node-${version}`);
    mkdirSync(place);
    npm(place, 'install', `node@${version}`, '--foreground-scripts');
    const node = join(place, 'node_modules', 'node', 'bin', 'node');
    expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toMatch(new RegExp(`^v${version}\\.`));
    const out = join(home, `run-${version}`);
    const cell = ['--profile', '60k', '--operation', 'apply-by-mac', '--duration', '2s', '--rate', '50'];
    const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: home, NO_COLOR: '1' };
    const ran = await runProgram([node, program(), 'verify', ...cell, '--out', out], { cwd: folder, env, ...NOBODY });
    const report = reportIn(out);
    expect(report.conformance?.verdict, ran.stderr).toBe('conformant');
    // A busy machine makes the cell invalid; that it ran is what counts here.
    expect([0, 4], ran.stderr).toContain(ran.code);
    expect(report.load?.cells[0]?.started).toBeGreaterThan(90);
  });

  it('without k6 and without Go says the two ways out, before anything is sent', async () => {
    const target = await stubTarget((_request, response) => response.end());
    const login = { ERS_USERNAME: 'somebody', ERS_PASSWORD: 'a-password' };
    const env = { PATH: dirname(process.execPath), HOME: join(scratch, 'nothing'), ...login };
    const pool = ['--endpoints', '02:00:00:00:00:00+60000@10.0.0.0', '--policy', 'Harness-Test'];
    const command = [process.execPath, program(), 'verify', '--base-url', target.baseUrl, ...pool];
    const { code, stderr } = await runProgram(command, { cwd: home, env, ...NOBODY });
    await target.close();
    expect([code, target.seen]).toEqual([2, []]);
    expect(stderr).toMatch(/install Go[\s\S]*K6_PATH=/);
  });
});
