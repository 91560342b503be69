import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { servedOfTests } from '../helpers/served.ts';

describe('a configuration file', () => {
  const folder = folderOfTests();
  const served = servedOfTests(['--sessions', '1000']);

  it('is written by init, which asks with GET alone and overwrites nothing', async () => {
    const cwd = join(folder, 'made');
    mkdirSync(cwd);
    const args = ['init', '--base-url', served.baseUrl, '--name', 'lab'];
    const made = await runCli(args, { env: served.env, cwd });
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('login accepted')]);
    expect(made.stdout).toMatch(/next: .*ers-harness(\.js)? conformance/);
    const text = readFileSync(join(cwd, 'ers-harness.yaml'), 'utf8');
    expect(parse(text)).toMatchObject({ target: 'lab', targets: { lab: { 'base-url': served.baseUrl } } });
    expect(text).not.toContain(served.env['ERS_PASSWORD']);
    const workflow = parse(readFileSync(join(cwd, '.github', 'workflows', 'ers-harness.yml'), 'utf8'));
    expect(workflow.jobs.conformance.steps.length).toBeGreaterThanOrEqual(3);
    const again = await runCli(args, { env: served.env, cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('would be overwritten')]);
    expect(readFileSync(join(cwd, 'ers-harness.yaml'), 'utf8')).toBe(text);
  });

  it('runs a command from a folder below it by name, with the login by reference, and says what it sets even with --quiet', async () => {
    const cwd = join(folder, 'used', 'below');
    mkdirSync(cwd, { recursive: true });
    writeFileSync(
      join(folder, 'used', 'ers-harness.yaml'),
      [
        'target: lab',
        'targets:',
        '  lab:',
        `    base-url: ${served.baseUrl}`,
        '    credentials: { username: { env: LAB_USER }, password: { env: LAB_PASSWORD } }',
        'conformance:',
        '  family: [sgt]',
        '  check: version',
        '',
      ].join('\n'),
    );
    const env = { LAB_USER: served.env['ERS_USERNAME'] ?? '', LAB_PASSWORD: served.env['ERS_PASSWORD'] ?? '' };
    const named = ['--config', join('..', 'ers-harness.yaml')];
    const ran = await runCli(['conformance', ...named, '--quiet', '--out', join(cwd, 'run')], { env, cwd });
    expect([ran.code, ran.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining(`line 4: base-url ${served.baseUrl}`),
    ]);
    const { options, target } = JSON.parse(readFileSync(join(cwd, 'run', 'run.json'), 'utf8'));
    expect([options.family, options.check, target.baseUrl]).toEqual([['sgt'], ['version'], served.baseUrl]);
    // The login of the target is not sent to a deployment that a flag names.
    const other = await runCli(['conformance', ...named, '--base-url', served.baseUrl, '--out', join(cwd, 'no')], {
      env,
      cwd,
    });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('credentials are missing')]);
    expect(existsSync(join(cwd, 'no'))).toBe(false);
  });
});
