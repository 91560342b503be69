import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { decodeSamples } from '../../lib/records/load/samples.ts';
import { scratchFolder } from '../helpers/cli.ts';
import { loadAgainst } from '../helpers/load-run.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

// A machine that is busy elsewhere makes a cell invalid, or the target slow.
const BUSY = { retry: 1 } as const;

it.concurrent(
  'a load takes endpoints in the order asked for, beside residents that it takes off again',
  BUSY,
  async () => {
    const cell = ['--rate', '60', '--duration', '4s', '--resident', '1%', '--order', 'skewed'];
    const { report, cell: found } = await loadAgainst(join(folder.path, 'residents'), [], cell);
    expect(found.verdict).not.toBe('violated');
    expect(found.facts.plan).toMatchObject({ order: 'skewed', resident: 600 });
    expect(report.cleanup.created).toBeGreaterThanOrEqual(600);
    expect([report.cleanup.residue, report.cleanup.created === report.cleanup.removed]).toEqual([[], true]);
  },
);

it.concurrent.each([
  { arrivals: 'even', least: 0, most: 0.01 },
  { arrivals: 'poisson', least: 0.7, most: 1.5 },
])('a load with $arrivals arrivals starts them as they come', async ({ arrivals, least, most }) => {
  const cell = ['--rate', '60', '--duration', '4s', '--arrivals', arrivals];
  const { out, cell: found } = await loadAgainst(join(folder.path, arrivals), [], cell);
  const { dueUs } = decodeSamples(readFileSync(join(out, 'records/cells', found.id, 'samples.bin')));
  expect(dueUs.length).toBeGreaterThan(200);
  const gaps = Array.from(dueUs.subarray(1), (due, at) => due - (dueUs[at] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  // The squared coefficient of variation of the gaps: 0 at equal distances, 1 in a Poisson process.
  expect(variance / mean ** 2).toBeGreaterThanOrEqual(least);
  expect(variance / mean ** 2).toBeLessThanOrEqual(most);
});
