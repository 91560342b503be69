import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { scratchFolder } from '../helpers/cli.ts';
import { loadAgainst } from '../helpers/load-run.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

it('a load takes endpoints in the order asked for, beside residents that it takes off again', async () => {
  const cell = ['--rate', '60', '--duration', '4s', '--resident', '1%', '--order', 'skewed'];
  const { report, cell: found } = await loadAgainst(join(folder.path, 'residents'), [], cell);
  // A machine that is busy elsewhere makes a cell invalid.
  expect(found.verdict).not.toBe('violated');
  expect(found.facts.plan).toMatchObject({ order: 'skewed', resident: 600 });
  expect(report.cleanup.created).toBeGreaterThanOrEqual(600);
  expect([report.cleanup.residue, report.cleanup.created === report.cleanup.removed]).toEqual([[], true]);
});
