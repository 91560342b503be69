import { type FamilyTable, fieldsOf } from '../../../lib/contract/types.ts';
import type { AncTarget } from '../../../lib/wire/anc.ts';
import type { Fields, Kit, Store } from '../../seams.ts';
import { allOf, type StoredRecord } from '../../store/record.ts';
import { cross, isOffered, type Place } from './line.ts';
import type { Watch } from './watch.ts';

export type Write = 'create' | 'update' | 'delete';

/** Families that are written, with each kind of write they take. */
export const writes = (table: FamilyTable, kinds: readonly Write[]): readonly Place[] =>
  cross(table, () => true, { write: kinds }).filter(isOffered(table, 'write'));

export const withFields =
  (change: (kind: 'create' | 'update', family: string, fields: Fields, id?: string) => Fields) =>
  (inner: Store): Partial<Store> => ({
    create: (name, fields) => inner.create(name, change('create', name, fields)),
    update: (name, id, fields) => inner.update(name, id, change('update', name, fields, id)),
  });

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
  const found = (which === 'newest' ? ids : ids.toReversed()).find((each) => store.get(family, each) !== undefined);
  return found === undefined ? undefined : store.get(family, found);
}

/** What a family holds, or a view shows. */
export const recordsOf = ({ seams }: Kit, family: string): readonly StoredRecord[] => allOf(seams.store.list(family));

/** True for endpoints that are all named by their MAC, or all by their IP address. */
export const areBy = (targets: readonly AncTarget[], by: unknown): boolean =>
  targets.every(({ macAddress }) => (macAddress === undefined ? 'ip' : 'mac') === by);

export const hasDescription = (table: FamilyTable, family: string) => 'description' in fieldsOf(table[family]);
