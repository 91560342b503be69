import { isCreatable, referenceOf, sentFields } from '../kit/fields.ts';
import { emptyTrace, type FamilyScope, familyScope, type RunScope } from './context.ts';

/** Records that members of other families point at, one of each family that is pointed at. */
export interface References {
  /** Ids by family; a family is missing where it takes no record. */
  readonly ids: ReadonlyMap<string, string>;
  /** Removes them. Never throws. */
  readonly release: () => Promise<void>;
}

/** Families that records of these ones point at. */
function targetsOf({ table }: RunScope, names: readonly string[]): readonly string[] {
  const targets = names.flatMap((name) => {
    const family = table[name];
    if (family === undefined || !isCreatable(family)) return [];
    return sentFields(family, 'create').flatMap(([member]) => referenceOf(table, member) ?? []);
  });
  return [...new Set(targets)];
}

/**
 * Makes them before any family is checked, and leaves them until all are: a list must not change while it is looked at
 * because another family needs a record. Where none can be made, a made-up id is sent.
 */
export async function makeReferences(run: RunScope, names: readonly string[], offset: number): Promise<References> {
  const all = Object.keys(run.table);
  const ids = new Map<string, string>();
  const scopes: FamilyScope[] = [];
  const { mode } = run.client.options;
  const writable = mode === 'read-only' ? [] : names.filter((name) => run.unwritable(name) === undefined);
  for (const target of targetsOf(run, writable)) {
    const scope = familyScope(run, target, all.length * offset + all.indexOf(target), all.length);
    scopes.push(scope);
    const context = scope.context(emptyTrace('references', target));
    const made = await context.run.shared('reference', ({ fixture }) => fixture()).catch(() => undefined);
    if (made !== undefined) ids.set(target, made.id);
  }
  return {
    ids,
    async release() {
      for (const scope of scopes) await scope.release();
    },
  };
}
