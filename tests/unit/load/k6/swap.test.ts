import { describe, expect, it } from 'vitest';
import { watchSwap } from '../../../../load/k6/proc.ts';

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
