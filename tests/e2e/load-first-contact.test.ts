import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CappedFront, cappedFront } from '../helpers/capped-front.ts';
import { reportIn, runCli, serveCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';

const folder = folderOfTests();

/** Two cells of a load at a low rate on a deployment that answers as the real product, behind a door. */
async function firstContact(
  personas: readonly string[],
  args: readonly string[],
  { cap = 1000, onLine = () => undefined }: { readonly cap?: number; readonly onLine?: OnLine } = {},
) {
  const out = join(mkdtempSync(join(folder, 'run-')), 'run');
  const served = await serveCli(['--sessions', '2000', ...personas.flatMap((name) => ['--persona', name])]);
  const front = await cappedFront(served.baseUrl, cap);
  const cell = ['--profile', '60k', '--rate', '40', '--duration', '2s', '--out', out, ...served.pool];
  const { code, stdout, stderr } = await runCli(['load', '--base-url', front.baseUrl, ...cell, ...args], {
    env: served.env,
    onLine: (line) => onLine(line, front),
  });
  await front.close();
  await served.close();
  const report = reportIn(out);
  return { code, stdout, stderr, report, front, cells: report.load?.cells ?? [], out };
}

type OnLine = (line: string, front: CappedFront) => void;

const TWO = ['--operation', 'apply-by-mac', '--operation', 'apply-by-ip'];

// A machine that is busy elsewhere makes a cell invalid, and a second try may be so too.
describe.concurrent('a load on a deployment with few connections and without sessions', { retry: 1 }, () => {
  it('holds its rate, and leaves out what needs a session', async () => {
    const { code, stdout, report, front, cells } = await firstContact(['ancsession', 'anc'], TWO, { cap: 9 });
    const told = cells.map(({ operation, verdict }) => `${operation} ${verdict}`);
    expect([code, report.load?.verdict, told]).toEqual([7, 'met', ['apply-by-mac met']]);
    expect(report.load?.notRun).toMatchObject([{ operation: 'apply-by-ip', reason: /"Session lookup failure"/ }]);
    expect(stdout).toContain('load: 1 of 2 measurements passed, 0 failed, 0 unclear, 1 refused');
    expect(stdout).toMatch(
      /60k apply-by-ip was refused: applying by the IP address \S+ was answered 400 "Session lookup/,
    );
    expect(stdout).toMatch(/Refused: 1 of 2 hold 40\/s; 60k apply-by-ip was refused: 400 .* \(exit 7\)/);
    const [cell] = cells;
    expect([cell?.facts.plan.connections, cell?.facts.sizing?.refused?.served]).toEqual([8, 9]);
    expect(front.most()).toBeLessThanOrEqual(9);
    expect(report.cleanup.residue).toEqual([]);
  });

  it('tries again on fewer connections where a target begins to refuse them, and says so', async () => {
    const onLine: OnLine = (line, front) => {
      if (line.includes('for the arrivals')) front.cap(9);
    };
    const args = ['--operation', 'apply-by-mac', '--connections', '20'];
    const { code, report, cells } = await firstContact([], args, { onLine });
    const [first] = report.load?.repeated ?? [];
    expect([first?.verdict, first?.facts.plan.connections, first?.reasons[0]]).toEqual([
      'invalid',
      19,
      expect.stringMatching(/^the target takes 9 connections \(\d+ more were reset or refused/),
    ]);
    expect([code, cells[0]?.verdict, cells[0]?.facts.plan.connections]).toEqual([0, 'met', 8]);
  });
});
