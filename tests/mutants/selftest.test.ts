import { describe, expect, it } from 'vitest';
import { SelftestScore } from '../../lib/records/selftest.ts';
import { runCli } from '../helpers/cli.ts';

describe('a sample of the selftest', () => {
  it('kills its defects for the right requirement, accuses no deployment that conforms, and believes no null target', {
    retry: 1,
    timeout: 300_000,
  }, async () => {
    const { code, stdout, stderr } = await runCli(['selftest', '--quick', '--quiet', '--json']);
    const score = SelftestScore.parse(JSON.parse(stdout));
    expect(
      score.gate.filter(({ met }) => !met),
      stderr,
    ).toEqual([]);
    expect(score.totals.defects).toBe(1);
    expect(score.totals.allowed).toBe(3);
    expect(score.totals.nullTargets).toBe(1);
    expect(code).toBe(0);
  });

  it('refuses a defect that there is none of, before anything is run', async () => {
    const { code, stderr } = await runCli(['selftest', '--defect', 'M99']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no defect M99');
  });
});
