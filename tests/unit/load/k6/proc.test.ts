import { describe, expect, it } from 'vitest';
import { memoryBounds, memoryMibOf, usableCores, watchMemory, watchSwap } from '../../../../load/k6/proc.ts';

describe('the memory of k6', () => {
  it('is bounded by what its connections need, and by the machine', () => {
    expect(memoryBounds({ connections: 100 }, 64_000)).toEqual({ soft: 1424, hard: 2848 });
    expect(memoryBounds({ connections: 100, segments: 2 }, 64_000)).toEqual({ soft: 1224, hard: 2448 });
    expect(memoryBounds({ connections: 3000 }, 8000)).toEqual({ soft: 2000, hard: 4000 });
  });

  it('is told of at the first look, where a process holds more than it may', () => {
    const told: string[] = [];
    watchMemory(process.pid, 1, (reason) => told.push(reason)).stop();
    const isShown = memoryMibOf(process.pid) !== undefined;
    expect(told.join()).toMatch(isShown ? /^k6 held \d+ MiB of memory, more than the 1 MiB/ : /^$/);
    watchMemory(process.pid, 1e9, () => expect.fail('the limit was not reached')).stop();
  });
});

/** A /proc whose figures a test moves. */
function aProc(figures: { k6: number; collector: number; pages: number }) {
  return (path: string) => {
    if (path === '/proc/vmstat') return `nr_free_pages 9\npswpin ${figures.pages}\npswpout 7\n`;
    const kb = path === '/proc/self/status' ? figures.collector : figures.k6;
    return `Name:\tk6\nVmRSS:\t 900 kB\nVmSwap:\t${String(kb).padStart(8)} kB\n`;
  };
}

describe('swapped memory of the generator', () => {
  it('is what moved while it was watched, in or out, by process; what lay in swap before does not count', () => {
    const figures = { k6: 400, collector: 0, pages: 10 };
    const swap = watchSwap(4711, aProc(figures));
    swap.look();
    Object.assign(figures, { k6: 640, pages: 90 });
    swap.look();
    Object.assign(figures, { k6: 600, collector: 8 });
    swap.look();
    expect(swap.use()).toEqual({ k6Kb: 280, collectorKb: 8, systemPages: 80 });
  });

  it('is unknown where the system does not show it, and before the first look', () => {
    const hidden = watchSwap(4711, () => undefined);
    hidden.look();
    expect(hidden.use()).toBeUndefined();
    expect(watchSwap(4711, aProc({ k6: 0, collector: 0, pages: 0 })).use()).toBeUndefined();
  });

  it('keeps what was seen of a process that has ended since', () => {
    const figures = { k6: 0, collector: 0, pages: 0 };
    const proc = aProc(figures);
    let alive = true;
    const swap = watchSwap(4711, (path) => (path === '/proc/4711/status' && !alive ? undefined : proc(path)));
    swap.look();
    figures.k6 = 12;
    swap.look();
    alive = false;
    swap.look();
    expect(swap.use()?.k6Kb).toBe(12);
  });
});

const files = (texts: Readonly<Record<string, string>>) => (path: string) => texts[path];

describe('processors that may be used', () => {
  it('are those of the machine where no quota is set', () => {
    expect(usableCores(files({}), 8)).toBe(8);
    const free = files({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' });
    expect(usableCores(free, 8)).toBe(8);
  });

  it('are bounded by the quota of the container, and by that of any group above it', () => {
    const own = { '/proc/self/cgroup': '0::/pods/mine\n', '/sys/fs/cgroup/pods/mine/cpu.max': '150000 100000\n' };
    expect(usableCores(files(own), 8)).toBe(1.5);
    expect(usableCores(files({ ...own, '/sys/fs/cgroup/pods/cpu.max': '50000 100000' }), 8)).toBe(0.5);
    expect(usableCores(files(own), 1)).toBe(1);
  });

  it('are bounded by a quota of version 1', () => {
    const first = files({
      '/proc/self/cgroup': '4:cpu,cpuacct:/mine\n',
      '/sys/fs/cgroup/cpu/mine/cpu.cfs_quota_us': '200000',
      '/sys/fs/cgroup/cpu/mine/cpu.cfs_period_us': '100000',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
    });
    expect(usableCores(first, 8)).toBe(2);
  });
});
