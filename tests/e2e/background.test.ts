import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportIn, runCli, serveCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';

const folder = folderOfTests();

/** Loads a deployment of its own at a low rate, and gives the report. */
async function loaded(name: string, args: readonly string[]) {
  // A second try needs a folder of its own.
  const out = join(mkdtempSync(join(folder, `${name}-`)), 'run');
  const served = await serveCli(['--sessions', '9000']);
  const cell = ['--base-url', served.baseUrl, '--profile', '60k', '--out', out, ...args];
  const { code, stderr } = await runCli(['load', ...cell, ...served.pool], { env: served.env });
  await served.close();
  expect([0, 4], stderr).toContain(code);
  return reportIn(out);
}

const BOTH = ['--operation', 'apply-by-mac,clear-by-mac'];

// A machine that is busy elsewhere makes the target slow.
describe.concurrent('a load', { retry: 1 }, () => {
  it('with other requests beside it gives each kind its own figures, and removes every record it made', async () => {
    const args = ['--operation', 'apply-by-mac', '--duration', '3s', '--rate', '50', '--background', '20'];
    const report = await loaded('mixed', args);
    const others = report.load?.cells[0]?.background ?? [];
    expect(others.map(({ kind }) => kind)).toEqual(['list', 'create', 'read', 'update', 'delete']);
    for (const { kind, failed, example, serviceTime } of others) {
      expect([kind, failed, example]).toEqual([kind, 0, undefined]);
      expect(serviceTime.count).toBeGreaterThan(5);
      expect(serviceTime.p50Ms).toBeGreaterThan(0);
    }
    expect([report.cleanup.residue, report.cleanup.created === report.cleanup.removed]).toEqual([[], true]);
    expect(report.cleanup.created).toBeGreaterThan(160);
  });

  it('is soaked iteration after iteration, with a new connection for each transaction where that is asked for', async () => {
    const args = [...BOTH, '--duration', '2s', '--rate', '40', '--soak', '8s', '--no-keep-alive'];
    const report = await loaded('soak', args);
    const told = report.load?.cells.map(({ operation, facts }) => `${facts.iteration} ${operation}`).sort();
    expect(told).toEqual(['1 apply-by-mac', '1 clear-by-mac', '2 apply-by-mac', '2 clear-by-mac']);
    expect(report.load?.cells.every(({ facts }) => facts.newConnections === true)).toBe(true);
  });
});
