import { inParallel } from '../../lib/parallel.ts';
import type { RunFacts } from '../kit/check.ts';
import type { PlanEntry } from './plan.ts';

/** One queue for each key: work given under a key runs after what was given before it, whether that held or not. */
export function keyedMutex(): RunFacts['exclusive'] {
  const queues = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (queues.get(key) ?? Promise.resolve()).then(work, work);
    queues.set(key, mine);
    return mine;
  };
}

interface Traffic {
  readonly own: Set<Promise<unknown>>;
  /** Done when no foreign create is under way or waits. */
  foreign: Promise<unknown>;
}

/** Creates of a family run at one time only if its own checks want that: else a target that loses some makes others fail at random. */
export function createLock() {
  const families = new Map<string, Traffic>();
  const trafficOf = (family: string): Traffic => {
    const known = families.get(family) ?? { own: new Set(), foreign: Promise.resolve() };
    families.set(family, known);
    return known;
  };
  return {
    /** A create by the family's own checks: may run beside others of them, never beside one of another family. */
    own<T>(family: string, work: () => Promise<T>): Promise<T> {
      const traffic = trafficOf(family);
      const mine = traffic.foreign.then(work);
      const settled = mine.catch(() => undefined).finally(() => traffic.own.delete(settled));
      traffic.own.add(settled);
      return mine;
    },
    /** A create by the checks of another family, which needs a record to refer to: runs alone. */
    foreign<T>(family: string, work: () => Promise<T>): Promise<T> {
      const traffic = trafficOf(family);
      const mine = Promise.all([traffic.foreign, ...traffic.own]).then(work);
      traffic.foreign = mine.catch(() => undefined);
      return mine;
    },
  };
}
export type CreateLock = ReturnType<typeof createLock>;

function partsOf(entries: readonly PlanEntry[]): readonly (readonly PlanEntry[])[] {
  const parts: PlanEntry[][] = [];
  for (const entry of entries) {
    const last = parts.at(-1);
    if (last !== undefined && last[0]?.check.serial === entry.check.serial) last.push(entry);
    else parts.push([entry]);
  }
  return parts;
}

/** Runs entries in order, at most `atOnce` at one time: each after those before it that it depends on, and serial ones alone. */
export async function inOrder(entries: readonly PlanEntry[], atOnce: number, run: (entry: PlanEntry) => Promise<void>) {
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
