import type { CellFacts } from '../../lib/records/load/load.ts';
import { numberIn, type ReadText, readText } from './proc.ts';

/** What was swapped while a cell ran; absent where the system does not show it. */
export type SwapUse = NonNullable<CellFacts['generator']['swap']>;

function swappedKb(read: ReadText, process: number | 'self'): number | undefined {
  return numberIn(/^VmSwap:\s+(\d+) kB$/m, read(`/proc/${process}/status`));
}

function systemPages(read: ReadText): number | undefined {
  const text = read('/proc/vmstat');
  const into = numberIn(/^pswpin (\d+)$/m, text);
  const out = numberIn(/^pswpout (\d+)$/m, text);
  return into === undefined || out === undefined ? undefined : into + out;
}

function movement() {
  let last: number | undefined;
  let moved: number | undefined;
  return {
    take(value: number | undefined) {
      if (value === undefined) return;
      moved = (moved ?? 0) + Math.abs(value - (last ?? value));
      last = value;
    },
    moved: () => moved,
  };
}

/** Watches what is swapped of a process and of this one, in or out; what lay in swap before and stays there does not count. */
export function watchSwap(pid: number, read: ReadText = readText) {
  const [k6, collector, system] = [movement(), movement(), movement()];
  return {
    look() {
      k6.take(swappedKb(read, pid));
      collector.take(swappedKb(read, 'self'));
      system.take(systemPages(read));
    },
    use(): SwapUse | undefined {
      const [k6Kb, collectorKb] = [k6.moved(), collector.moved()];
      if (k6Kb === undefined || collectorKb === undefined) return undefined;
      return { k6Kb, collectorKb, systemPages: system.moved() ?? null };
    },
  };
}
