import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import type { CellFacts } from '../../lib/records/load/load.ts';
import type { CellSpec } from '../plan/cell-spec.ts';

/** Text of a file of the system; undefined if it cannot be read. */
type ReadText = (path: string) => string | undefined;

const readText: ReadText = (path) => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
};

/** The number that a pattern finds in a file of the system; undefined if there is none. */
function numberIn(pattern: RegExp, text: string | undefined): number | undefined {
  const found = text === undefined ? undefined : pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Folders of a control group and of those above it, the root among them. */
function chain(root: string, group: string): readonly string[] {
  const parts = group.split('/').filter((part) => part !== '' && part !== '..');
  return parts.map((_, count) => [root, ...parts.slice(0, count + 1)].join('/')).concat(root);
}

/** `quota period` of version 2, or the two files of version 1, as processors; undefined if there is no limit. */
function quotaOf(folder: string, read: ReadText): number | undefined {
  const [quota, period] =
    read(`${folder}/cpu.max`)?.trim().split(/\s+/) ??
    ['quota', 'period'].map((name) => read(`${folder}/cpu.cfs_${name}_us`)?.trim());
  const cores = Number(quota) / Number(period);
  return Number.isFinite(cores) && cores > 0 ? cores : undefined;
}

/** Processors by the quotas of the control group and all above it; undefined without one. Node counts those of the machine. */
function quotaCores(read: ReadText = readText): number | undefined {
  const groups = (read('/proc/self/cgroup') ?? '').split('\n').map((line) => line.split(':'));
  const folders = groups.flatMap(([, controllers, group]) => {
    if (group === undefined) return [];
    if (controllers === '') return chain('/sys/fs/cgroup', group);
    return controllers?.split(',').includes('cpu') ? chain('/sys/fs/cgroup/cpu', group) : [];
  });
  const quotas = folders.flatMap((folder) => quotaOf(folder, read) ?? []);
  return quotas.length === 0 ? undefined : Math.min(...quotas);
}

/** Processors this process may use: by affinity, and by the quota of its container. */
export function usableCores(read: ReadText = readText, cores = availableParallelism()): number {
  return Math.min(cores, quotaCores(read) ?? cores);
}

const swappedKb = (read: ReadText, process: number | 'self') =>
  numberIn(/^VmSwap:\s+(\d+) kB$/m, read(`/proc/${process}/status`));

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
    /** What was swapped while a cell ran; absent if the system does not show it. */
    use(): CellFacts['generator']['swap'] {
      const [k6Kb, collectorKb] = [k6.moved(), collector.moved()];
      if (k6Kb === undefined || collectorKb === undefined) return undefined;
      return { k6Kb, collectorKb, systemPages: system.moved() ?? null };
    },
  };
}

const MIB = 2 ** 20;
/** Room for one k6 process, and for each connection with its virtual user: several times what a cell at 250/s takes. */
const OWN_MIB = 1024;
const CONNECTION_MIB = 4;
/** Share of the memory of the machine that k6 may fill before it collects. */
const MACHINE_SHARE = 4;
/** Beyond so many times that, what fills it are answers that were never meant to be read. */
const BEYOND = 2;
/** A large answer can fill a gigabyte within a second. */
const LOOK_MS = 100;

/** Memory of k6, MiB: from `soft` on it collects as often as it needs to, beyond `hard` it is stopped. */
export function memoryBounds(
  { connections }: Pick<CellSpec, 'connections'>,
  machineMib = totalmem() / MIB,
): { readonly soft: number; readonly hard: number } {
  const needed = OWN_MIB + CONNECTION_MIB * connections;
  const soft = Math.floor(Math.min(machineMib / MACHINE_SHARE, needed));
  return { soft, hard: soft * BEYOND };
}

/** MiB of memory that a process holds; undefined if the system does not show it. */
export function memoryMibOf(pid: number): number | undefined {
  const heldKb = numberIn(/^VmRSS:\s+(\d+) kB/m, readText(`/proc/${pid}/status`));
  return heldKb === undefined ? undefined : heldKb / 1024;
}

/** Tells, with the reason, when a process holds more than it may; ten times a second until it is stopped. */
export function watchMemory(pid: number, limitMib: number, onBeyond: (reason: string) => void): { stop(): void } {
  const look = () => {
    const held = memoryMibOf(pid);
    if (held === undefined || held <= limitMib) return;
    onBeyond(`k6 held ${Math.round(held)} MiB of memory, more than the ${limitMib} MiB that it may`);
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return { stop: () => clearInterval(timer) };
}
