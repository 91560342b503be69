import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Report } from '../../../lib/records/report.ts';
import { runCli, type ServedDeployment, scratchFolder, serveCli } from '../../helpers/cli.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

/** Runs one apply cell against a deployment with a fault, and gives its report. */
async function loadAgainst(
  name: string,
  faults: readonly string[],
  args: readonly string[],
  onLine?: Parameters<typeof runCli>[1],
) {
  const served: ServedDeployment = await serveCli([
    '--sessions',
    '9000',
    ...faults.flatMap((fault) => ['--fault', fault]),
  ]);
  const out = join(folder.path, name);
  const pool = ['--endpoints', served.endpoints, '--policy', served.policies[0] ?? ''];
  const cell = ['--profile', '60k', '--operation', 'apply-by-mac', '--out', out];
  const { code, stderr } = await runCli(['load', '--base-url', served.baseUrl, ...cell, ...pool, ...args], {
    env: served.env,
    ...onLine,
  });
  await served.close();
  const report = Report.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
  const found = report.load?.cells[0];
  if (found === undefined) throw new Error(`no cell in the report\n${stderr}`);
  return { code, stderr, report, cell: found };
}

/** Processes whose command line names this text; our own children only. */
function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe('a load cell against a deployment at fault', () => {
  it('is violated, naming the connections and Little’s law, when 30 connections cannot carry the rate at 200 ms', async () => {
    const { code, cell } = await loadAgainst('slow', ['latency=200ms'], ['--connections', '30', '--duration', '6s']);
    expect(cell.verdict).toBe('violated');
    expect(cell.dropped).toBeGreaterThan(0);
    expect(cell.reasons.join(' ')).toMatch(/30 connections/);
    expect(cell.reasons.join(' ')).toMatch(/Little/);
    expect(code).toBe(1);
  });

  it('shows a stall of two seconds in the response time from the intended start', async () => {
    const { report } = await loadAgainst('stall', ['stall=2s@8s'], ['--connections', '600', '--duration', '12s']);
    // The stall comes once: where a busy machine makes the first try invalid, it is that try that has seen it.
    const tries = [...(report.load?.repeated ?? []), ...(report.load?.cells ?? [])];
    expect(tries[0]?.responseTime.p99Ms ?? 0).toBeGreaterThan(1500);
  });

  it('is violated by read-back when successes store nothing', async () => {
    const { code, cell } = await loadAgainst('no-store', ['no-store'], ['--duration', '4s']);
    expect(cell.verdict).toBe('violated');
    expect(cell.reasons.join(' ')).toMatch(/read.?back/i);
    expect(code).toBe(1);
  });

  it('is violated by reads in the middle when effects are missing there only, and all is well after the load', async () => {
    const { code, cell } = await loadAgainst('late-store', ['late-store=5s@1s'], ['--duration', '8s']);
    const broken = cell.rules.filter(({ holds }) => holds === false).map(({ id }) => id);
    expect([cell.verdict, code, broken]).toEqual(['violated', 1, ['effect-proven-in-flight']]);
    expect(cell.reasons.join(' ')).toMatch(/while the load ran.*holds nothing [\d.]+ s after its success was seen/);
  });

  it('is invalid, with exit 4 and never green, when k6 is killed in the middle', async () => {
    const out = join(folder.path, 'killed');
    let killed = 0;
    const kill = () => {
      for (const pid of processesNaming('scenarios/anc').filter((found) =>
        readFileSync(`/proc/${found}/cmdline`, 'utf8').includes('--out'),
      )) {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      }
    };
    const timer = setInterval(kill, 1500);
    const { code, cell, report } = await loadAgainst('killed', [], ['--duration', '8s']);
    clearInterval(timer);
    expect(killed).toBeGreaterThan(0);
    expect(cell.verdict).toBe('invalid');
    expect(code).toBe(4);
    expect(report.exit.code).toBe(4);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/<error/);
  });
});
