import { inParallel } from '../../../lib/parallel.ts';
import type { PlanEntry } from '../plan.ts';

function partsOf(entries: readonly PlanEntry[]): readonly (readonly PlanEntry[])[] {
  const parts: PlanEntry[][] = [];
  for (const entry of entries) {
    const last = parts.at(-1);
    if (last !== undefined && last[0]?.check.serial === entry.check.serial) last.push(entry);
    else parts.push([entry]);
  }
  return parts;
}

/**
 * Runs entries in their order, at most `atOnce` at one time: each after those that it depends on, and serial ones beside no other. Entries
 * follow those that they depend on.
 */
export async function inOrder(
  entries: readonly PlanEntry[],
  atOnce: number,
  run: (entry: PlanEntry) => Promise<void>,
): Promise<void> {
  const ends = new Map<string, readonly Promise<void>[]>();
  const begin = async (entry: PlanEntry): Promise<void> => {
    const { id, dependsOn = [], restsOn = [] } = entry.check;
    const before = [...dependsOn, ...restsOn].flatMap((name) => ends.get(name.split('|')[0] ?? '') ?? []);
    const end = Promise.all(before).then(() => run(entry));
    ends.set(id, [...(ends.get(id) ?? []), end]);
    return end;
  };
  for (const part of partsOf(entries)) await inParallel(part, part[0]?.check.serial ? 1 : atOnce, begin);
}
