import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportIn, runCli, serveCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';

const folder = folderOfTests();

it('a load is soaked iteration after iteration, with a new connection for each transaction if that is asked for', async () => {
  const out = join(folder, 'run');
  const served = await serveCli(['--sessions', '9000']);
  const soak = ['--operation', 'apply-by-mac,clear-by-mac', '--duration', '2s', '--rate', '40', '--soak', '8s'];
  const cells = ['--base-url', served.baseUrl, '--profile', '60k', '--out', out, ...soak, '--no-keep-alive'];
  const { code, stderr } = await runCli(['load', ...cells, ...served.pool], { env: served.env });
  await served.close();
  expect([0, 4], stderr).toContain(code);
  const report = reportIn(out);
  const told = report.load?.cells.map(({ operation, facts }) => `${facts.iteration} ${operation}`).sort();
  expect(told).toEqual(['1 apply-by-mac', '1 clear-by-mac', '2 apply-by-mac', '2 clear-by-mac']);
  expect(report.load?.cells.every(({ facts }) => facts.newConnections === true)).toBe(true);
});
