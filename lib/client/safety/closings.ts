import type { ErsClient } from '../types.ts';
import type { Write } from './guard.ts';

/** Writes that leave something more on the target. */
const ADDS: ReadonlySet<Write['kind']> = new Set(['create', 'bulk', 'apply']);

/** Records in a row that could not be removed, after which no more are made in their family. */
const MOST_KEPT = 2;

/** What families take no more of, and why. */
export function openClosings() {
  const closed = { create: new Map<string, string>(), update: new Map<string, string>() };
  const inARow = new Map<string, number>();
  const refuse: ErsClient['refuse'] = (family, why, what = 'create') =>
    void (why === undefined ? closed[what].delete(family) : closed[what].set(family, why));
  return {
    refuse,
    closed: ((family, what = 'create') => closed[what].get(family)) satisfies ErsClient['closed'],
    kept(family: string, why: string | undefined): void {
      inARow.set(family, why === undefined ? 0 : (inARow.get(family) ?? 0) + 1);
      // A target that keeps what a run made is not given more of it.
      if (why !== undefined && (inARow.get(family) ?? 0) >= MOST_KEPT)
        refuse(family, `records of this run cannot be removed again: ${why}`);
    },
    /** Why the write is not sent; undefined if the family takes such ones. */
    against(family: string, write: Write): string | undefined {
      const isAdded = write.kind === 'bulk' ? write.items.some(({ id }) => id === undefined) : ADDS.has(write.kind);
      const added = isAdded ? closed.create.get(family) : undefined;
      if (added !== undefined) return `${write.kind === 'apply' ? 'an apply' : 'a create'} in ${family}: ${added}`;
      const isUpdate =
        'removes' in write && !write.removes && (write.kind !== 'bulk' || write.items.some(({ id }) => id));
      const changed = isUpdate ? closed.update.get(family) : undefined;
      return changed && `an update in ${family}: ${changed}`;
    },
  };
}
export type Closings = ReturnType<typeof openClosings>;
