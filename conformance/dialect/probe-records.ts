import type { FamilyTable } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { pageOf } from '../../lib/wire/list-walk.ts';
import type { CheckContext } from '../kit/check.ts';
import { identityField } from '../kit/list/seeded-records.ts';
import { isSettable, valueIn } from '../kit/list/value.ts';
import type { ProbeRecord } from './question.ts';

/** The family that can answer most questions: one with a text filter, sort fields and, where records may be made, all of CRUD. */
export function probeFamily(table: FamilyTable, served: readonly string[], mode: Mode): string | undefined {
  const worth = (name: string): number => {
    const family = table[name];
    if (family === undefined || !family.ops.includes('list')) return -1;
    const writes =
      mode !== 'read-only' && ['create', 'update', 'delete', 'read'].every((op) => family.ops.includes(op as never));
    const field = identityField(family);
    return (
      (writes ? 8 : 0) +
      (field === 'name' ? 4 : 0) +
      (family.filters.includes('description') ? 2 : 0) +
      (family.sorts.length > 0 ? 1 : 0)
    );
  };
  const [best] = [...served].sort((a, b) => worth(b) - worth(a));
  return best === undefined || worth(best) < 0 ? undefined : best;
}

/** Names that show how letters are ordered, and one record without a description. */
const SUFFIXES = ['Beta', 'alpha', 'gamma'] as const;

async function found(context: CheckContext, field: string): Promise<readonly ProbeRecord[]> {
  const page = pageOf(await context.send('list'));
  return (page?.items ?? []).flatMap(({ id, record }) => {
    const name = valueIn(record, field, 'text');
    return name === undefined ? [] : [{ id, name: String(name), own: false }];
  });
}

/** Three records of this run where they can be made, else those of the list's first page that show a name. */
export async function probeRecords(context: CheckContext): Promise<readonly ProbeRecord[]> {
  const { family, run } = context;
  const field = identityField(family);
  if (field === undefined) return [];
  if (!context.run.mayCreate() || !isSettable(family, field)) {
    return found(context, field);
  }
  const made: ProbeRecord[] = [];
  for (const suffix of SUFFIXES) {
    const text = `${run.prefix}d${suffix}`;
    const { id } = await context.fixture({ [memberOf(family.name, field)]: text, description: undefined });
    made.push({ id, name: text, own: true });
  }
  return made;
}
