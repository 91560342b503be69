import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../helpers/cli.ts';
import { loadAgainst } from '../helpers/load-run.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

// A machine that is busy elsewhere makes a cell invalid, and a second try may be so too.
describe.concurrent('a load cell against a deployment at fault', { retry: 1 }, () => {
  it('is violated, naming the connections and Little’s law, when 15 connections cannot carry the rate at 200 ms', async () => {
    const { code, cell } = await loadAgainst(
      join(folder.path, 'slow'),
      ['latency=200ms'],
      ['--connections', '15', '--rate', '100', '--duration', '2s'],
    );
    expect(cell.verdict).toBe('violated');
    expect(cell.dropped).toBeGreaterThan(0);
    expect(cell.reasons.join(' ')).toMatch(/15 connections/);
    expect(cell.reasons.join(' ')).toMatch(/Little/);
    expect(code).toBe(1);
  });

  it('is violated by read-back when successes store nothing', async () => {
    const { code, cell } = await loadAgainst(
      join(folder.path, 'no-store'),
      ['no-store'],
      ['--rate', '50', '--duration', '4s', '--read-back-grace', '1s'],
    );
    expect(cell.verdict).toBe('violated');
    expect(cell.reasons.join(' ')).toMatch(/read.?back/i);
    expect(code).toBe(1);
  });

  it('is violated by reads in the middle when effects are missing there only, and all is well after the load', async () => {
    const { code, cell } = await loadAgainst(
      join(folder.path, 'late-store'),
      ['late-store=5s@1s'],
      ['--rate', '50', '--duration', '8s'],
    );
    const broken = cell.rules.filter(({ holds }) => holds === false).map(({ id }) => id);
    expect([cell.verdict, code]).toEqual(['violated', 1]);
    expect(broken).toContain('effect-proven-in-flight');
    expect(broken.filter((id) => id.startsWith('effect-'))).toEqual(['effect-proven-in-flight']);
    expect(cell.reasons.join(' ')).toMatch(/while the load ran.*holds nothing [\d.]+ s after its success was seen/);
  });
});
