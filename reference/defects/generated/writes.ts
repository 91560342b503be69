import type { FamilyTable } from '../../../lib/contract/types.ts';
import type { Store } from '../../seams.ts';
import type { StoredRecord } from '../../store/record.ts';
import type { Place } from './line.ts';
import type { Watch } from './watch.ts';

/** Kinds of writes on one record. */
export type Write = 'create' | 'update' | 'delete';

/** Families that are written, with each kind of write they take. */
export function writes(table: FamilyTable, kinds: readonly Write[] = ['create', 'update', 'delete']): readonly Place[] {
  return Object.entries(table).flatMap(([family, row]) =>
    kinds.filter((kind) => row.ops.includes(kind)).map((write) => ({ family, write })),
  );
}

const CODES: Readonly<Record<string, string>> = { create: 'C', update: 'U', delete: 'D' };
/** Requirements that a write breaks where it does not do what it says. */
export const violates = ({ write }: Place) => [
  `OP-*-${CODES[String(write)]}`,
  'SVC-1',
  'PAY-*',
  'FRESH-1',
  'RES-ID',
  'VIEW-*',
];

/** A record of the family that a request made earlier and that is still there. */
export function sibling(
  store: Store,
  watch: Watch,
  family: string,
  id: string,
  which: 'newest' | 'oldest',
): StoredRecord | undefined {
  const ids = watch.created(family).filter((each) => each !== id);
  const order = which === 'newest' ? ids : [...ids].reverse();
  for (const each of order) {
    const record = store.get(family, each);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** True for a family whose bodies carry a description. */
export const hasDescription = (table: FamilyTable, family: string) => {
  const fields = table[family]?.fields;
  return fields !== undefined && fields !== 'unspecified' && 'description' in fields;
};
