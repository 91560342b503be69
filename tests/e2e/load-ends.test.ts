import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../helpers/cli.ts';
import { loadAgainst } from '../helpers/load-run.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

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

describe('a load cell that meets a stall or loses its generator', () => {
  it('shows a stall of two seconds in the response time from the intended start', async () => {
    const { report } = await loadAgainst(
      join(folder.path, 'stall'),
      ['stall=2s@11s'],
      ['--connections', '300', '--rate', '100', '--duration', '12s'],
    );
    // The stall comes once, when a busy machine has begun too. Where that machine makes the first try invalid, it has seen it.
    const tries = [...(report.load?.repeated ?? []), ...(report.load?.cells ?? [])];
    expect(tries[0]?.responseTime.p99Ms ?? 0).toBeGreaterThan(1500);
  });

  it('is invalid, with exit 4 and never green, when k6 is killed in the middle', async () => {
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
    const { out, code, cell, report } = await loadAgainst(join(folder.path, 'killed'), [], ['--duration', '8s']);
    clearInterval(timer);
    expect(killed).toBeGreaterThan(0);
    expect(cell.verdict).toBe('invalid');
    expect(code).toBe(4);
    expect(report.exit.code).toBe(4);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/<error/);
  });
});
