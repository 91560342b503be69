import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportIn, runCli, serveCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';

const folder = folderOfTests();

/** Which check kills which defect is the business of the mutant tests; here it is what the command makes of it. */
async function conformanceOf(defect: string, kind: string, what: readonly string[]) {
  const served = await serveCli(['--sessions', '2000', kind, defect]);
  const out = join(folder, defect.replace(/\W/g, '-'));
  const own = ['--mode', 'full', '--base-url', served.baseUrl, '--no-retry', '--depth', 'quick', '--out', out];
  const { code, stdout } = await runCli(['conformance', ...what, ...served.pool, ...own], { env: served.env });
  await served.close();
  const report = reportIn(out);
  const failed = report.conformance?.results.filter(({ verdict }) => verdict === 'fail') ?? [];
  return { code, stdout, failed: failed.map(({ requirement }) => requirement), report };
}

describe.concurrent('a deployment with a seeded defect', () => {
  it('ends the command with exit 5 and the commands that remove what an ignored clear left', async () => {
    const what = ['--family', 'ancendpoint', '--check', 'anc/'];
    const { code, stdout, failed, report } = await conformanceOf('M54', '--defect', what);
    expect(failed).toContain('SPC-ANC');
    expect(report.end?.cleanup.residue.length).toBeGreaterThan(0);
    expect(report.exit.reasons.map((reason) => reason.code)).toEqual(expect.arrayContaining([5, 1]));
    expect(stdout).toMatch(/remove it with: curl/);
    expect(code).toBe(5);
  });

  // A clean-up that waits for each record by itself would take minutes, and end this test by its time limit.
  it.each([
    ['M13', '--defect', 'that keeps what it says it removed'],
    ['refuse=DELETE:403', '--fault', 'that forbids every delete'],
  ])(
    'ends the command with exit 5 and a command for each record on a deployment (%s, %s) %s',
    async (id, kind) => {
      const what = ['--family', 'sgt', '--check', 'record/', '--check', 'body/'];
      const { code, stdout, report } = await conformanceOf(id, kind, what);
      const { created, removed, residue } = report.cleanup;
      expect(code).toBe(5);
      expect(residue).toMatchObject([
        { why: expect.stringMatching(/^its delete was answered (204, and it is still there$|403 )/) },
      ]);
      expect(residue.length).toBe(created - removed);
      expect(
        residue.every(({ command }) => /^curl -u "\$ERS_USERNAME:\$ERS_PASSWORD" -X (DELETE|PUT) /.test(command)),
      ).toBe(true);
      expect(stdout.match(/remove it with: curl/g)?.length).toBe(residue.length);
    },
    60_000,
  );
});
