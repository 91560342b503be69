import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportIn, runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { servedOfTests } from '../helpers/served.ts';

const WHAT = ['--family', 'sgt', '--check', 'filter/operator', '--mode', 'own-data', '--depth', 'quick'];

describe('a run that found a failure', () => {
  const folder = folderOfTests();
  const bad = join(folder, 'bad');
  const good = join(folder, 'good');
  const login = { ERS_USERNAME: 'tester', ERS_PASSWORD: 'a-password-for-tests' };
  const defective = servedOfTests(['--sessions', '500', '--defect', 'M27'], login);
  const clean = servedOfTests(['--sessions', '500'], login);

  beforeAll(async () => {
    for (const [served, out] of [
      [defective, bad],
      [clean, good],
    ] as const) {
      await runCli(['conformance', '--base-url', served.baseUrl, ...WHAT, '--out', out], { env: login });
    }
  });

  it('is compared with another: what newly fails ends with exit 1, what is fixed does not', async () => {
    const worse = await runCli(['report', 'compare', good, bad, '--json']);
    const better = await runCli(['report', 'compare', bad, join(good, 'report.json'), '--json']);
    expect([worse.code, better.code]).toEqual([1, 0]);
    expect(JSON.parse(worse.stdout).conformance.newlyFailing.length).toBeGreaterThan(0);
    expect(JSON.parse(better.stdout).conformance.fixed).toHaveLength(
      JSON.parse(worse.stdout).conformance.newlyFailing.length,
    );
    expect(worse.stderr).toMatch(/newly failing: \d+/);
  });

  it('is replayed on the same deployment with the same verdict, and on a mended one with what changed marked', async () => {
    const failed = reportIn(bad).conformance?.results.find(({ verdict }) => verdict === 'fail');
    const { checkId = '', variant = '' } = failed ?? {};
    expect(failed?.requirement).toBe('FOP-EQ');
    const args = ['report', 'replay', bad, checkId, '--family', 'sgt', '--variant', variant];
    const own = ['--mode', 'own-data', '--base-url'];
    const same = await runCli([...args, ...own, defective.baseUrl, '--out', join(folder, 'same')], { env: login });
    expect(same.code).toBe(1);
    expect(same.stdout).toMatch(/the same verdict\n {2}verdict: fail/);
    const other = await runCli([...args, ...own, clean.baseUrl, '--out', join(folder, 'other')], { env: login });
    expect(other.stdout).toContain('* verdict: fail → pass');
  });
});
