import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { servedOfTests } from '../helpers/served.ts';

describe('the runs of a folder', () => {
  const folder = folderOfTests();
  const served = servedOfTests(['--sessions', '1000']);
  let first: { code: number | null; stdout: string; stderr: string };
  const cwd = folder;
  const latest = () => readlinkSync(join(cwd, 'runs', 'latest'));
  const cli = (args: readonly string[], env: Readonly<Record<string, string>> = served.env) =>
    runCli(args, { env, cwd });
  const conformance = ['conformance', '--family', 'sgt', '--check', 'version'];

  beforeAll(async () => {
    first = await cli([...conformance, '--base-url', served.baseUrl]);
  });

  it('end with the result on stdout: what passed, the path of the report and the next command; progress is on stderr', () => {
    const lines = first.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^conformance: 1 of 1 resources passed; \d+ results: /);
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
