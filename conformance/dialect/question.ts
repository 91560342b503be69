import { type FamilyTable, hasOp } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { recordOf } from '../../lib/wire/answer.ts';
import { pageOf } from '../../lib/wire/list-walk.ts';
import type { CheckContext } from '../kit/check.ts';
import { identityField } from '../kit/list/seeded-records.ts';
import { heldIn, isSettable } from '../kit/list/value.ts';

export interface ProbeRecord {
  readonly id: string;
  /** Value of the family's text filter field. */
  readonly name: string;
}

export interface Probe {
  readonly context: CheckContext;
  readonly records: readonly ProbeRecord[];
}

export interface Question {
  /** Permanent. */
  readonly id: string;
  readonly question: string;
  readonly needs: 'read' | 'own-data' | 'full';
  /** `anc`: asked of the family that applies policies; else of one that shows most. */
  readonly on?: 'anc';
  readonly ask: (probe: Probe) => Promise<unknown>;
}

/** Families in the order of how many questions they can answer: with a text filter, sort fields and, where records may be made, all of CRUD. */
export function probeFamilies(table: FamilyTable, served: readonly string[], mode: Mode): readonly string[] {
  const worth = (name: string): number => {
    const family = table[name];
    if (family === undefined || !family.ops.includes('list')) return -1;
    const facts = [
      family.sorts.length > 0,
      family.filters.includes('description'),
      identityField(family) === 'name',
      mode !== 'read-only' && (['create', 'update', 'delete', 'read'] as const).every((op) => hasOp(family, op)),
    ];
    return facts.reduce((sum, is, weight) => sum + (is ? 2 ** weight : 0), 0);
  };
  return served.filter((name) => worth(name) >= 0).sort((a, b) => worth(b) - worth(a));
}

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
    if (name !== undefined) all.push({ id, name: String(name) });
  }
  return all;
}

/** Three records of this run if they can be made, else of the list's first page. */
export async function probeRecords(context: CheckContext): Promise<readonly ProbeRecord[]> {
  const { family, run } = context;
  const field = identityField(family);
  if (field === undefined) return [];
  if (!run.mayCreate() || !isSettable(family, field)) return found(context, field);
  const made: ProbeRecord[] = [];
  for (const suffix of SUFFIXES) {
    const text = `${run.prefix}d${suffix}`;
    const { id } = await context.fixture({ [memberOf(family.name, field)]: text });
    made.push({ id, name: text });
  }
  return made;
}
