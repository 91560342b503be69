import { entriesOf, idOf } from '../../lib/wire/answer.ts';
import { nameOf } from '../kit/record/record-reads.ts';
import { type FamilyScope, familyScope, type RunScope, TURNS } from './context.ts';
import { emptyTrace } from './trace.ts';

/** Opens the records that members of other families point at: made before any is checked, and there until all are. */
export function openReferences(run: () => RunScope) {
  const ids = new Map<string, string[]>();
  const nameOfId = new Map<string, string>();
  const turns = new Map<string, number>();
  const taken = new Set<string>();
  const scopes = new Map<string, FamilyScope>();
  return {
    /** Id or name of one of them, each time another; undefined if the family has none. */
    next(family: string, by?: 'name'): string | undefined {
      const all = ids.get(family) ?? [];
      if (all.every((id) => taken.has(id))) taken.clear();
      const known = all.filter((id) => !taken.has(id));
      const turn = turns.get(family) ?? 0;
      turns.set(family, turn + 1);
      const id = known[turn % known.length];
      return by === undefined || id === undefined ? id : nameOfId.get(id);
    },
    /** Leaves one out that another record was seen to point at already, until all are left out. */
    leaveOut: (id: string): void => void taken.add(id),
    /** Makes records of the family, or takes those of others if none can be made, until there are `count`. */
    async provide(family: string, count: number): Promise<void> {
      const known = ids.get(family) ?? [];
      ids.set(family, known);
      const scope = scopes.get(family) ?? familyScope(run(), family, TURNS.references);
      scopes.set(family, scope);
      const context = scope.context(emptyTrace('references', family));
      const make = () => context.run.shared(`reference-${known.length}`, ({ fixture }) => fixture());
      while (known.length < count && run().unwritable(family) === undefined && context.run.mayCreate()) {
        const made = await make().catch(() => undefined);
        if (made === undefined) break;
        known.push(made.id);
        nameOfId.set(made.id, nameOf(context, made));
      }
      if (known.length >= count) return;
      for (const entry of entriesOf(await context.send('list')) ?? []) {
        const id = idOf(entry);
        if (id === undefined || known.includes(id) || known.length >= count) continue;
        known.push(id);
        if (typeof entry['name'] === 'string') nameOfId.set(id, entry['name']);
      }
    },
    /** Removes what was made. Never throws. */
    async release(): Promise<void> {
      for (const scope of scopes.values()) await scope.release();
    },
  };
}
export type References = ReturnType<typeof openReferences>;
