import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Report } from '../../lib/records/report.ts';
import { runCli, type ServedDeployment, scratchFolder, serveCli } from '../helpers/cli.ts';

const folder = scratchFolder();
let served: ServedDeployment;
beforeAll(async () => {
  served = await serveCli(['--sessions', '9000']);
});
afterAll(async () => {
  await served.close();
  folder.remove();
});

describe('a load with other requests beside it', () => {
  it('gives each kind its own figures, and removes every record it made', async () => {
    const out = join(folder.path, 'mixed');
    const pool = ['--endpoints', served.endpoints, '--policy', served.policies[0] ?? '', '--out', out];
    const cell = [
      '--profile',
      '60k',
      '--operation',
      'apply-by-mac',
      '--duration',
      '3s',
      '--rate',
      '50',
      '--background',
      '20',
    ];
    const { code, stderr } = await runCli(['load', '--base-url', served.baseUrl, ...cell, ...pool], {
      env: served.env,
    });
    const report = Report.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
    const others = report.load?.cells[0]?.background ?? [];
    expect(others.map(({ kind }) => kind)).toEqual(['list', 'create', 'read', 'update', 'delete']);
    for (const { kind, failed, example, serviceTime } of others) {
      expect([kind, failed, example]).toEqual([kind, 0, undefined]);
      expect(serviceTime.count).toBeGreaterThan(5);
      expect(serviceTime.p50Ms).toBeGreaterThan(0);
    }
    expect([report.cleanup.residue, report.cleanup.created === report.cleanup.removed]).toEqual([[], true]);
    expect(report.cleanup.created).toBeGreaterThan(160);
    expect([0, 4], stderr).toContain(code);
  });

  it('is soaked iteration after iteration, with a new connection for each transaction where that is asked for', async () => {
    const out = join(folder.path, 'soak');
    const pool = ['--endpoints', served.endpoints, '--policy', served.policies[0] ?? '', '--out', out];
    const cells = ['--profile', '60k', '--operation', 'apply-by-mac,clear-by-mac', '--duration', '2s', '--rate', '40'];
    const args = ['load', '--base-url', served.baseUrl, ...cells, '--soak', '8s', '--no-keep-alive', ...pool];
    const { code, stderr } = await runCli(args, { env: served.env });
    const report = Report.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
    expect(report.load?.cells.map(({ operation, facts }) => `${facts.iteration} ${operation}`).sort()).toEqual([
      '1 apply-by-mac',
      '1 clear-by-mac',
      '2 apply-by-mac',
      '2 clear-by-mac',
    ]);
    expect(report.load?.cells.every(({ facts }) => facts.newConnections === true)).toBe(true);
    expect([0, 4], stderr).toContain(code);
  });
});

describe('a load that climbs to its rate', () => {
  it('leaves the endpoints of the ramp-up to the clear cell as the steady state does its own, and none with a policy', async () => {
    const out = join(folder.path, 'ramp-up');
    const pool = ['--endpoints', served.endpoints, '--policy', served.policies[0] ?? '', '--out', out];
    const cells = ['--profile', '60k', '--operation', 'apply-by-mac,clear-by-mac', '--duration', '3s', '--rate', '50'];
    const args = ['load', '--base-url', served.baseUrl, ...cells, '--ramp', '2s', ...pool];
    const { code, stderr } = await runCli(args, { env: served.env });
    const report = Report.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
    const ran = report.load?.cells ?? [];
    expect(ran.map(({ operation }) => operation).sort()).toEqual(['apply-by-mac', 'clear-by-mac']);
    for (const { facts, failures, rules } of ran) {
      expect([facts.ramp?.seconds, facts.ramp?.arrivals, facts.ramp?.failed]).toEqual([2, 51, 0]);
      expect(facts.ramp?.succeeded).toBeGreaterThan(20);
      // A ramp-up on endpoints of the steady state would show as errors of state.
      expect([failures, rules.find(({ id }) => id === 'reconciled')?.holds]).toEqual([[], true]);
    }
    expect([report.cleanup.residue, report.cleanup.created === report.cleanup.removed]).toEqual([[], true]);
    expect([0, 4], stderr).toContain(code);
  });
});
