import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportIn, runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { servedOfTests } from '../helpers/served.ts';

const PER_SECOND = 100;
const scratch = folderOfTests();
const out = join(scratch, 'run');
const served = servedOfTests(['--sessions', '6000', '--fault', `rate=${PER_SECOND}/s:apply`]);

const capacity = (...args: readonly string[]) => {
  const where = ['--base-url', served.baseUrl, ...served.pool];
  return runCli(['capacity', ...where, '--profile', '60k', '--out', out, ...args], { env: served.env });
};

describe('a search for the capacity', () => {
  it('refuses what it cannot do before it sends anything or makes a folder', async () => {
    for (const [code, args] of [
      ['missing-options', ['--base-url', served.baseUrl, ...served.pool]],
      ['dry-run-embedded', ['--profile', '60k', '--dry-run']],
    ] as const) {
      const ran = await runCli(['capacity', '--out', out, ...args], { env: served.env });
      expect([code, ran.code, ran.stderr]).toEqual([code, 2, expect.stringContaining(code)]);
    }
    const small = await capacity('--endpoints', '02:00:00:00:00:00+500@10.0.0.0');
    expect([small.code, small.stderr]).toEqual([2, expect.stringContaining('pool-too-small')]);
    expect(existsSync(out)).toBe(false);
  });

  it('prints what it would search, and sends nothing', async () => {
    const { code, stdout } = await capacity('--dry-run', '--json', '--max-rate', '60', '--recovery', '0');
    const search = { highest: 60, tolerance: 0.05 };
    expect(JSON.parse(stdout)).toMatchObject([{ profile: '60k', connections: 100, recoverySeconds: 0, search }]);
    expect([code, existsSync(out)]).toEqual([0, false]);
  });

  // On a machine that starves it, a search repeats steps: they are bounded in number, and each takes seconds.
  it('finds what the target was slowed down to, and leaves no policy behind', { timeout: 600_000 }, async () => {
    const short = ['--confirm', '6s', '--recovery', '2s'];
    const args = ['--max-rate', '200', '--connections', '20', '--quiet', ...short];
    const { code, stderr } = await capacity(...args);
    const report = reportIn(out);
    const [answer] = report.capacity?.answers ?? [];
    expect(answer, stderr).toMatchObject({ operation: 'apply-by-mac', targetPerSecond: 250, connections: 20 });
    // On a machine that does other things too, the generator may have been the limit.
    if (answer?.limit === 'target' && answer.confirmation?.outcome === 'held') {
      expect(answer.heldPerSecond).toBeGreaterThanOrEqual(PER_SECOND * 0.7);
      expect([answer.verdict, code]).toEqual(['violated', 1]);
    } else expect([answer?.verdict, code]).not.toEqual(['met', 0]);
    expect(answer?.heldPerSecond ?? 0).toBeLessThanOrEqual(PER_SECOND * 1.05);
    if (answer?.heldPerSecond) {
      const held = answer.heldPerSecond;
      expect(answer.recovery?.overPerSecond).toBe(Math.round(1.2 * held));
      const page = readFileSync(join(out, 'records/capacity.html'), 'utf8');
      const { cell, valid } = answer.recovery ?? {};
      if (valid) expect(page).toContain(`../index.html#cell-${cell}-try-`);
    }
    expect([report.cleanup.residue, report.cleanup.created === report.cleanup.removed]).toEqual([[], true]);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('<testsuite name="capacity" tests="1"');
  });
});
