import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { ofTests, servedOfTests } from '../helpers/served.ts';

const folder = folderOfTests();
const served = servedOfTests(['--sessions', '1000']);

describe('the runs of a folder', () => {
  const cwd = folder;
  const latest = () => readlinkSync(join(cwd, 'runs', 'latest'));
  const cli = (args: readonly string[], env: Readonly<Record<string, string>> = served.env) =>
    runCli(args, { env, cwd });
  const conformance = ['conformance', '--family', 'sgt', '--check', 'version'];

  const first = ofTests(() => cli([...conformance, '--base-url', served.baseUrl]));

  it('end with the result on stdout: what passed, the path of the report and the next command; progress is on stderr', () => {
    const lines = first.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^conformance: 1 of 1 resource passed; \d+ results: /);
    expect(lines.at(-2)).toMatch(/^report: .*index\.html$/);
    expect(lines.at(-1)).toMatch(/^next: .*ers-harness(\.js)? report open 2\d{7}-\d{6}-/);
    expect(first.stderr).toContain('conformance ...');
    expect(first.stderr).not.toContain('report:');
    expect(readdirSync(join(cwd, 'runs', latest())).sort()).toEqual([
      ...['ctrf.json', 'index.html', 'junit.xml', 'records', 'report.json', 'run.json', 'summary.md'],
    ]);
  });

  it('have the newest one named latest, also one whose login is refused, and no replay', async () => {
    const named = latest();
    const refused = await cli([...conformance, '--base-url', served.baseUrl], { ERS_USERNAME: 'a', ERS_PASSWORD: 'b' });
    const second = latest();
    expect([refused.code, second === named]).toEqual([3, false]);
    const one = ['version/served', '--family', 'sgt', '--base-url', served.baseUrl];
    const replayed = await cli(['report', 'replay', `runs/${named}`, ...one]);
    expect([replayed.stdout, latest()]).toEqual([expect.stringContaining('the same verdict'), second]);
    await cli([...conformance, '--base-url', served.baseUrl, '--seed', '2']);
    expect([named, second]).not.toContain(latest());
  });

  it('are listed with their verdicts, and opened by the beginning of an id', async () => {
    const id = latest();
    const listed = await cli(['report', 'list']);
    expect(listed.stdout).toMatch(new RegExp(`${id} .* conformance +http://`));
    expect(listed.stdout).toContain('4 runs in runs');
    expect(listed.stdout).toMatch(new RegExp(`${id} .* [014] +(Passed|Failed|Unclear)$`, 'm'));
    const begun = await cli(['report', 'open', id.slice(0, -2)], { BROWSER: 'true' });
    expect(begun.stdout).toContain(`${id}/index.html`);
    const opened = await cli(['report', 'open'], { BROWSER: 'true' });
    expect([opened.code, opened.stdout.trim()]).toEqual([0, expect.stringMatching(/latest\/index\.html$/)]);
    const wrong = await cli(['report', 'open', 'nothing']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('report list')]);
  });
});

describe('a configuration file', () => {
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
