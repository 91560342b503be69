import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { scoreOfLines } from '../helpers/generated-defect.ts';

describe('generated defects', () => {
  it('are found where a bulk create does nothing every second time, and where a sort is by a length that all have', async () => {
    const undone = await scoreOfLines('generated', ['bulk-undone sxpvpns action=create @second'], 'quick');
    const sorted = await scoreOfLines('generated', [
      'sort-by-length ancendpoint field=name direction=sortasc feature=sort @with-extra',
    ]);
    expect([undone.total.killed, sorted.total.killed]).toEqual([1, 1]);
  }, 300_000);

  it('refuses a line that there is none of', async () => {
    const { code, stderr } = await runCli(['selftest', '--line', 'filter-none nowhere @always']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no generated defect');
  });
});

describe('the command explore', () => {
  it('refuses to run where it may not write, and a path without its seed and family', async () => {
    const readOnly = await runCli(['explore', '--base-url', 'http://127.0.0.1:1']);
    expect(readOnly.code).toBe(2);
    expect(readOnly.stderr).toContain('explore creates records');
    const alone = await runCli(['explore', '--base-url', 'http://127.0.0.1:1', '--mode', 'own-data', '--path', '1:2']);
    expect(alone.code).toBe(2);
    expect(alone.stderr).toContain('--path needs the --seed');
  });
});
