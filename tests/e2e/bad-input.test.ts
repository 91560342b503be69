import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
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
    ['a folder to render that holds no run', ['report', 'render', folder], 3, /run\.json/],
  ] as const)('ends for %s with its exit code and a reason', async (_what, args, exit, says) => {
    const { code, stdout, stderr } = await runCli(args, { env: login });
    expect([code, stdout + stderr]).toEqual([exit, expect.stringMatching(says)]);
  });

  it('refuses credentials in the base URL without repeating them, and asks for them where there are none', async () => {
    const inUrl = ['conformance', '--base-url', 'http://me:canary-7@127.0.0.1:1', ...out('url')];
    const { code, stderr } = await runCli(inUrl, { env: login });
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('canary-7')]);
    const none = await runCli([...AT, ...out('no-login')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('ERS_USERNAME')]);
  });
});
