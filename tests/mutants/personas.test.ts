import { describe, expect, it } from 'vitest';
import { PersonasScore } from '../../lib/records/persona-score.ts';
import { runCli } from '../helpers/cli.ts';

describe('the selftest on personas', () => {
  it('runs the rules that are named beside the clean deployment, and prints the score', async () => {
    const args = ['--persona', 'paging+past404', '--mode', 'read-only'];
    const { code, stdout, stderr } = await runCli(['selftest', ...args, '--quiet', '--json']);
    const { met, scores } = PersonasScore.parse(JSON.parse(stdout));
    expect(scores.map(({ kind, name, runs }) => [kind, name, runs.map(({ mode }) => mode)])).toEqual([
      ['clean', 'none', ['read-only']],
      ['pair', 'paging+past404', ['read-only']],
    ]);
    expect([met, code], stderr).toEqual([true, 0]);
  }, 300_000);

  it('refuses names and modes that there are none of, before anything is run', async () => {
    const unknown = await runCli(['selftest', '--persona', '3.9']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no persona or rule 3.9')]);
    const mode = await runCli(['selftest', '--personas', '--mode', 'all']);
    expect([mode.code, mode.stderr]).toEqual([2, expect.stringContaining('expected one of read-only, own-data, full')]);
  });
});
