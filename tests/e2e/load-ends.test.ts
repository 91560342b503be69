import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../helpers/cli.ts';
import { loadAgainst } from '../helpers/load-run.ts';

const folder = scratchFolder();
afterAll(() => folder.remove());

/** The k6 processes of a run that record its cell. Other tests run k6 at the same time: only children of this one count. */
function k6Of(cli: number | undefined): number[] {
  const about = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => /^PPid:\s*(\d+)$/m.exec(about(pid, 'status'))?.[1] === String(cli))
    .filter((pid) => /scenarios\/anc.*--out|--out.*scenarios\/anc/s.test(about(pid, 'cmdline')))
    .map(Number);
}

describe.concurrent('a load cell that meets a stall or loses its generator', () => {
  it('shows a stall of two seconds in the response time from the intended start', async () => {
    const { report } = await loadAgainst(
      join(folder.path, 'stall'),
      ['stall=2s/9s'],
      ['--connections', '300', '--rate', '100', '--duration', '12s'],
    );
    // A stall begins every nine seconds, so twelve seconds hold a whole one, whenever a busy machine begins to measure.
    // If that machine makes the first try invalid, the try has seen it.
    const tries = [...(report.load?.repeated ?? []), ...(report.load?.cells ?? [])];
    expect(tries[0]?.responseTime.p99Ms ?? 0).toBeGreaterThan(1500);
  });

  it('is invalid, with exit 4 and never green, when k6 is killed in the middle', async () => {
    let [cli, killed]: [number | undefined, number] = [undefined, 0];
    const kill = () => {
      for (const pid of k6Of(cli)) {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      }
    };
    const timer = setInterval(kill, 1500);
    const onLine = (_: string, child: ChildProcess) => {
      cli = child.pid;
    };
    const { out, code, cell, report } = await loadAgainst(join(folder.path, 'killed'), [], ['--duration', '8s'], {
      onLine,
    });
    clearInterval(timer);
    expect(killed).toBeGreaterThan(0);
    expect(cell.verdict).toBe('invalid');
    expect(code).toBe(4);
    expect(report.exit.code).toBe(4);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/<error/);
  });
});
