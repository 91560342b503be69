import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { stubTarget } from '../helpers/stub-target.ts';

const folder = folderOfTests();

const login = { ERS_USERNAME: 'reader', ERS_PASSWORD: 'a-password' };
const out = (name: string) => ['--out', `${folder}/${name}`];

describe.concurrent('bad input to the command line', () => {
  it('refuses a rate that is no number, and full mode without a pool, with exit 2, and sends nothing', async () => {
    const target = await stubTarget((_request, response) => response.end());
    const where = ['--base-url', target.baseUrl];
    const rate = await runCli(['load', ...where, '--rate', 'abc', ...out('rate')], { env: login });
    const full = await runCli(['conformance', ...where, '--mode', 'full', ...out('full')], { env: login });
    await target.close();
    expect([rate.code, rate.stderr]).toEqual([2, expect.stringContaining('--rate')]);
    expect([full.code, full.stderr]).toEqual([2, expect.stringContaining('--endpoints')]);
    expect(target.seen).toEqual([]);
  });

  it.each([
    ['an unknown command', ['conform'], 2, /unknown command/],
    ['an unknown option', ['conformance', '--no-such-option'], 2, /unknown option/],
    ['no base URL', ['conformance', ...out('no-url')], 2, /--base-url/],
    ['a port without a listener', ['conformance', '--base-url', 'http://127.0.0.1:9', ...out('closed')], 3, /refused/i],
    ['a folder to render that holds no run', ['report', 'render', folder], 3, /run\.json/],
  ] as const)('ends for %s with its exit code and a reason', async (_what, args, exit, says) => {
    const { code, stdout, stderr } = await runCli(args, { env: login });
    expect([code, stdout + stderr]).toEqual([exit, expect.stringMatching(says)]);
  });

  it('refuses credentials in the base URL without repeating them, and asks for them where there are none', async () => {
    const inUrl = ['conformance', '--base-url', 'http://me:canary-7@127.0.0.1:1', ...out('url')];
    const { code, stderr } = await runCli(inUrl, { env: login });
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('canary-7')]);
    const none = await runCli(['conformance', '--base-url', 'http://127.0.0.1:1', ...out('no-login')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('ERS_USERNAME')]);
  });

  it.each([
    ['tries a wrong password exactly once', 401, '<html>401</html>', /login|password|401/i, 1],
    ['takes an HTML page with status 200 for what it is', 200, '<html><form>Log in</form></html>', /HTML/, undefined],
  ] as const)('%s, and ends with exit 3', async (_what, status, body, says, requests) => {
    const target = await stubTarget((_request, response) =>
      response.writeHead(status, { 'Content-Type': 'text/html' }).end(body),
    );
    const args = ['conformance', '--base-url', target.baseUrl, ...out(`answered-${status}`)];
    const { code, stdout } = await runCli(args, { env: login });
    await target.close();
    expect([code, stdout]).toEqual([3, expect.stringMatching(says)]);
    expect(target.seen).toHaveLength(requests ?? target.seen.length);
  });

  it('refuses a run folder that cannot be made with exit 2', async () => {
    writeFileSync(`${folder}/a-file`, '');
    const args = ['conformance', '--base-url', 'http://127.0.0.1:1', '--out', `${folder}/a-file/run`];
    const { code, stderr } = await runCli(args, { env: login });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out')]);
  });
});
