import { availableParallelism } from 'node:os';
import { type ReadText, readText } from './proc.ts';

/** Folders of a control group and of those above it, the root among them. */
function chain(root: string, group: string): readonly string[] {
  const parts = group.split('/').filter((part) => part !== '' && part !== '..');
  return parts.map((_, count) => [root, ...parts.slice(0, count + 1)].join('/')).concat(root);
}

/** `quota period` of version 2, or the two files of version 1, as processors; undefined where there is no limit. */
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
