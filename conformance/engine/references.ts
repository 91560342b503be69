import { entriesOf, idOf } from '../../lib/wire/answer.ts';
import { isCreatable, referenceOf, sentFields } from '../kit/fields.ts';
import { type FamilyScope, familyScope, type RunScope } from './context.ts';
import { emptyTrace } from './trace.ts';

/** Records that members of other families point at. */
export interface References {
  /** Id of one of them, each time another; undefined where the family has none. */
  readonly next: (family: string) => string | undefined;
  /** Leaves one out that another record was seen to point at already, until all are left out. */
  readonly leaveOut: (id: string) => void;
  /** Makes records of the family, or takes those that are there where none can be made, until there are so many. */
  readonly provide: (family: string, count: number) => Promise<void>;
  /** Removes what was made. Never throws. */
  readonly release: () => Promise<void>;
}

/** Families that records of these ones point at. */
export function pointedAt({ table }: RunScope, names: readonly string[]): readonly string[] {
  const targets = names.flatMap((name) => {
    const family = table[name];
    if (family === undefined || !isCreatable(family)) return [];
    return sentFields(family, 'create').flatMap(([member]) => referenceOf(table, member) ?? []);
  });
  return [...new Set(targets)];
}

/**
 * Opens the references of a run. They are made before any family is checked, and stay until all are: a list must not change
 * while it is looked at because another family needs a record. `offset` keeps their names apart from those of other makers.
 */
export function openReferences(run: RunScope, offset: number): References {
  const all = Object.keys(run.table);
  const ids = new Map<string, string[]>();
  const turns = new Map<string, number>();
  const taken = new Set<string>();
  const scopes = new Map<string, FamilyScope>();
  return {
    next(family) {
      const all = ids.get(family) ?? [];
      if (all.every((id) => taken.has(id))) taken.clear();
      const known = all.filter((id) => !taken.has(id));
      const turn = turns.get(family) ?? 0;
      turns.set(family, turn + 1);
      return known.length === 0 ? undefined : known[turn % known.length];
    },
    leaveOut: (id) => void taken.add(id),
    async provide(family, count) {
      const known = ids.get(family) ?? [];
      ids.set(family, known);
      const scope =
        scopes.get(family) ?? familyScope(run, family, all.length * offset + all.indexOf(family), all.length);
      scopes.set(family, scope);
      const context = scope.context(emptyTrace('references', family));
      const make = () => context.run.shared(`reference-${known.length}`, ({ fixture }) => fixture());
      while (known.length < count && run.unwritable(family) === undefined && context.run.mayCreate()) {
        const made = await make().catch(() => undefined);
        if (made === undefined) break;
        known.push(made.id);
      }
      if (known.length >= count) return;
      const there = (entriesOf(await context.send('list')) ?? []).flatMap((entry) => idOf(entry) ?? []);
      known.push(...there.filter((id) => !known.includes(id)).slice(0, count - known.length));
    },
    async release() {
      for (const scope of scopes.values()) await scope.release();
    },
  };
}
