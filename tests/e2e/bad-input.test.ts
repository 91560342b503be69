import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, type ServedDeployment, scratchFolder, serveCli } from '../helpers/cli.ts';
import { stubTarget } from '../helpers/stub-target.ts';

/** A server that answers everything in one way. */
const answering = (status: number, type: string, body: string) =>
  stubTarget((_request, response) => response.writeHead(status, { 'Content-Type': type }).end(body));

describe('bad input to the command line', () => {
  const folder = scratchFolder();
  const login = { ERS_USERNAME: 'reader', ERS_PASSWORD: 'a-password' };
  let served: ServedDeployment;

  beforeAll(async () => {
    served = await serveCli(['--sessions', '1000']);
  });

  afterAll(async () => {
    await served.close();
    folder.remove();
  });

  const out = (name: string) => ['--out', `${folder.path}/${name}`];

  it('refuses a rate that is no number with exit 2 and sends nothing', async () => {
    const target = await answering(200, 'text/plain', '');
    const { code, stderr } = await runCli(['load', '--base-url', target.baseUrl, '--rate', 'abc', ...out('rate')], {
      env: login,
    });
    await target.close();
    expect(code).toBe(2);
    expect(stderr).toContain('--rate');
    expect(target.seen).toEqual([]);
  });

  it('refuses an unknown command and an unknown option with exit 2', async () => {
    expect((await runCli(['conform'])).code).toBe(2);
    expect((await runCli(['conformance', '--no-such-option'])).code).toBe(2);
  });

  it('refuses a missing base URL and missing credentials with exit 2 and a hint', async () => {
    expect((await runCli(['conformance', ...out('no-url')], { env: login })).stderr).toContain('--base-url');
    const noLogin = await runCli(['conformance', '--base-url', served.baseUrl, ...out('no-login')]);
    expect(noLogin.code).toBe(2);
    expect(noLogin.stderr).toContain('ERS_USERNAME');
  });

  it('refuses credentials in the base URL without repeating them', async () => {
    const { code, stderr } = await runCli(
      ['conformance', '--base-url', 'http://me:canary-7@127.0.0.1:1', ...out('url')],
      { env: login },
    );
    expect(code).toBe(2);
    expect(stderr).not.toContain('canary-7');
  });

  it('ends with exit 3 and the reason when nothing listens', async () => {
    const { code, stdout } = await runCli(['conformance', '--base-url', 'http://127.0.0.1:9', ...out('closed')], {
      env: login,
    });
    expect(code).toBe(3);
    expect(stdout).toMatch(/refused/i);
  });

  it('tries a wrong password exactly once and ends with exit 3', async () => {
    const target = await answering(401, 'text/html', '<html>401</html>');
    const { code, stdout } = await runCli(['conformance', '--base-url', target.baseUrl, ...out('password')], {
      env: login,
    });
    await target.close();
    expect(code).toBe(3);
    expect(stdout).toMatch(/login|password|401/i);
    expect(target.seen).toHaveLength(1);
  });

  it('takes an HTML page with status 200 for what it is: not this API, exit 3', async () => {
    const target = await answering(200, 'text/html', '<html><form>Log in</form></html>');
    const { code, stdout } = await runCli(['conformance', '--base-url', target.baseUrl, ...out('html')], {
      env: login,
    });
    await target.close();
    expect(code).toBe(3);
    expect(stdout).toMatch(/HTML/);
  });

  it('refuses full mode without a pool and a policy', async () => {
    const { code, stderr } = await runCli(
      ['conformance', '--base-url', served.baseUrl, '--mode', 'full', ...out('full')],
      { env: served.env },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('--endpoints');
  });

  it('refuses a run folder that cannot be made, and one that holds a run already', async () => {
    const file = `${folder.path}/a-file`;
    writeFileSync(file, '');
    const args = ['conformance', '--base-url', served.baseUrl, '--family', 'smsprovider'];
    const blocked = await runCli([...args, '--out', `${file}/run`], { env: served.env });
    expect(blocked.code).toBe(2);
    expect(blocked.stderr).toContain('--out');
    await runCli([...args, ...out('twice')], { env: served.env });
    const again = await runCli([...args, ...out('twice')], { env: served.env });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('already holds a run');
  });

  it('refuses to render a folder that holds no run with exit 3', async () => {
    const { code, stderr } = await runCli(['report', 'render', folder.path]);
    expect(code).toBe(3);
    expect(stderr).toContain('run.json');
  });
});
