import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM, runCli, runProgram } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';

const folder = folderOfTests();

const login = { ERS_USERNAME: 'reader', ERS_PASSWORD: 'a-password' };
const out = (name: string) => ['--out', `${folder}/${name}`];
// What was sent there would be refused, and end with exit 3.
const CLOSED = 'http://127.0.0.1:9';
const AT = ['conformance', '--base-url', CLOSED];
writeFileSync(`${folder}/a-file`, '');

describe.concurrent('bad input to the command line', () => {
  it.each([
    ['an unknown command', ['conform'], 2, /unknown command/],
    ['an unknown option', ['conformance', '--no-such-option'], 2, /unknown option/],
    ['a rate that is no number', ['load', '--base-url', CLOSED, '--rate', 'abc', ...out('rate')], 2, /--rate/],
    ['a folder that cannot be made', [...AT, ...out('a-file/run')], 2, /--out/],
    ['no base URL', ['conformance', ...out('no-url')], 2, /--base-url/],
    ['a port without a listener', [...AT, ...out('closed')], 3, /refused/i],
    [
      'a selection from a variable that is not set',
      [...AT, '--check', '', ...out('empty')],
      2,
      /is a variable not set/,
    ],
    ['a second value without its option', [...AT, '--family', 'sgt', 'node'], 2, /node is one too many/],
    ['a file in place of a folder', ['init', '--base-url', CLOSED, '--dir', `${folder}/a-file`], 2, /--dir/],
    ['an address of another machine', ['serve', '--host', '192.0.2.1', '--port', '0'], 2, /use --host/],
    ['a folder to render that holds no run', ['report', 'render', folder], 3, /run\.json/],
  ] as const)('ends for %s with its exit code and a reason', async (_what, args, exit, says) => {
    const { code, stdout, stderr } = await runCli(args, { env: login });
    expect([code, stdout + stderr]).toEqual([exit, expect.stringMatching(says)]);
  });

  it('says each thing to do without k6 on a line of its own, and of a variable what it was probably meant to be', async () => {
    const env = { PATH: dirname(process.execPath), HOME: '', XDG_CACHE_HOME: '', ERS_MODDE: 'full' };
    const { stdout, stderr } = await runCli(['doctor'], { env, cwd: folder });
    expect(stdout).toMatch(/one of these gives it:\n +install Go/);
    expect(stdout).not.toContain(`${folder}/.cache`);
    expect(stderr).toContain('ERS_MODDE sets nothing. Did you mean ERS_MODE?');
    expect(existsSync(`${folder}/.cache`)).toBe(false);
  });

  it('calls no fault of its own what the system refuses', async () => {
    const gone = ['-c', 'mkdir gone && cd gone && rmdir ../gone && "$0" "$1" config', process.execPath, PROGRAM];
    const { code, stderr } = await runProgram(['sh', ...gone], { env: process.env, cwd: folder });
    expect([code, stderr]).toEqual([70, expect.stringMatching(/error: .*\n {2}the working folder is gone/)]);
    expect(stderr).not.toContain('    at ');
  });

  it('refuses credentials in the base URL without repeating them, and asks for them where there are none', async () => {
    const inUrl = ['conformance', '--base-url', 'http://me:canary-7@127.0.0.1:1', ...out('url')];
    const { code, stderr } = await runCli(inUrl, { env: login });
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('canary-7')]);
    const none = await runCli([...AT, ...out('no-login')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('ERS_USERNAME')]);
  });
});
