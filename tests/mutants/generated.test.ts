import { describe, expect, it } from 'vitest';
import { groupBy } from '../../lib/group-by.ts';
import { generatedLines, sampleLines } from '../../reference/defects/generated/generated.ts';
import { type Line, lineId } from '../../reference/defects/generated/line.ts';
import { runCli } from '../helpers/cli.ts';
import { scoreOfLines } from '../helpers/generated-defect.ts';
import { isObservable } from '../helpers/witness.ts';

/** A sample of the defects that always show; of each operator with ERS_TEST_OPERATORS=all. */
function someLines(): readonly Line[] {
  const always = generatedLines().filter(({ trigger }) => trigger === 'always');
  if (process.env['ERS_TEST_OPERATORS'] !== 'all') return sampleLines(always, 12, 7);
  return [...groupBy(always, ({ operator }) => operator).values()].flatMap((lines) => sampleLines(lines, 2, 7));
}

describe('generated defects', () => {
  it('each change an answer that the specification binds', async () => {
    const same: string[] = [];
    for (const line of someLines()) {
      const isSeen = (await isObservable(line, 1500, 1)) || (await isObservable(line, 6000, 2));
      if (!isSeen) same.push(lineId(line));
    }
    expect(same).toEqual([]);
  }, 600_000);

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
