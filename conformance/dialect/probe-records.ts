import type { FamilyTable } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { recordOf } from '../../lib/wire/answer.ts';
import { pageOf } from '../../lib/wire/list-walk.ts';
import type { CheckContext } from '../kit/check.ts';
import { Refused } from '../kit/fault.ts';
import { identityField } from '../kit/list/seeded-records.ts';
import { heldIn, isSettable } from '../kit/list/value.ts';
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

/** Records of the first page, with what each holds in the field: from its read if its entry does not show it. */
async function found(context: CheckContext, field: string): Promise<readonly ProbeRecord[]> {
  const page = pageOf(await context.send('list'));
  const all: ProbeRecord[] = [];
  for (const { id, record } of page?.items ?? []) {
    if (all.length === SUFFIXES.length) break;
    const name =
      heldIn(context.family, record, field) ??
      heldIn(context.family, recordOf(await context.send('read', { id })) ?? {}, field);
    if (name !== undefined) all.push({ id, name: String(name), own: false });
  }
  return all;
}

/** Three records of this run if they can be made, else of the list's first page. */
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
    const named = { [memberOf(family.name, field)]: text };
    // A target may demand a description: which members it demands is not shown.
    const { id } = await context.fixture({ ...named, description: undefined }).catch((fault: unknown) => {
      if (!(fault instanceof Refused)) throw fault;
      return context.fixture(named);
    });
    made.push({ id, name: text, own: true });
  }
  return made;
}
