import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import { Problem } from '../../answers/problem.ts';
import type { ListPlan } from '../../query/plan.ts';
import type { Fields, Kit, Query, Store, Wraps } from '../../seams.ts';
import { arrayList, type StoredRecord } from '../../store/record.ts';
import { changesOf, sameValue } from '../../store/store.ts';
import type { Watch } from '../generated/watch.ts';
import { nameMember } from './life.ts';
import { changes, meets } from './mistake.ts';

/** Who suffers an effect. */
export interface Sufferers {
  readonly family: string;
  readonly kit: Kit;
  readonly watch: Watch;
  readonly suffers: (record: StoredRecord) => boolean;
  /** The record as it was; undefined where nothing is known of it. */
  readonly before?: (record: StoredRecord) => StoredRecord | undefined;
}

/** What goes wrong with a record that is in the wrong state. */
export interface Effect {
  readonly id: string;
  /** Begins with a verb; the record follows. */
  readonly title: string;
  /** Needs an earlier state of the record. */
  readonly needsBefore?: true;
  readonly fits: (row: Family) => boolean;
  readonly violates: (family: string) => readonly string[];
  readonly wraps: (who: Sufferers) => Wraps;
}

type Listing = (records: readonly StoredRecord[], isBad: (record: StoredRecord) => boolean) => readonly StoredRecord[];

/** Lists of the family with their records changed, where the plan is of that kind. */
export const relisted =
  (
    isMine: (name: string, plan: ListPlan) => boolean,
    change: (records: readonly StoredRecord[]) => readonly StoredRecord[],
  ) =>
  (inner: Query): Partial<Query> => ({
    select: async (name, plan) => {
      const list = await inner.select(name, plan);
      if (!isMine(name, plan)) return list;
      const shown = [...list.pieces()].flat();
      const other = change(shown);
      return other === shown ? list : arrayList(other);
    },
  });

const listing =
  (isKind: (plan: ListPlan) => boolean, change: Listing): Effect['wraps'] =>
  ({ family, watch, suffers }) => ({
    query: relisted(
      (name, plan) => name === family && isKind(plan),
      (records) => {
        const bad = new Set(records.filter((record) => meets(watch, suffers(record))));
        if (bad.size === 0) return records;
        const other = change(records, (record) => bad.has(record));
        return other.every(({ id }, at) => records[at]?.id === id) && other.length === records.length
          ? records
          : changes(watch, other);
      },
    ),
  });

const writing =
  (
    on: (store: Store, name: string, id: string, fields: Fields, old: StoredRecord) => ReturnType<Store['update']>,
  ): Effect['wraps'] =>
  ({ family, kit, watch, suffers }) => ({
    store: (inner) => ({
      update: (name, id, fields) => {
        const old = kit.seams.store.get(name, id);
        if (name !== family || old === undefined || !meets(watch, suffers(old))) return inner.update(name, id, fields);
        watch.exposure.changed += 1;
        return on(inner, name, id, fields, old);
      },
    }),
  });

const without = (fields: Fields, member: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== member));
const has = (op: Family['ops'][number]) => (row: Family) => row.ops.includes(op);
const isChanged = (row: Family) => row.ops.includes('update') || row.viewOf !== undefined;
const code =
  (letter: string, ...more: string[]) =>
  (family: string) => [`OP-${family}-${letter}`, ...more];
const isPlain = ({ criteria, sort }: ListPlan) => criteria.length === 0 && sort === undefined;

/** Everything that can go wrong with a record in the wrong state. */
export const EFFECTS: readonly Effect[] = [
  {
    id: 'unread',
    title: 'a read does not find',
    fits: has('read'),
    violates: code('R', 'SVC-1', 'LIST-GET'),
    wraps: ({ family, watch, suffers }) => ({
      lookup: (inner) => ({
        byId: (name, id) => {
          const record = inner.byId(name, id);
          if (name !== family || record === undefined || !meets(watch, suffers(record))) return record;
          return changes(watch, undefined);
        },
      }),
    }),
  },
  {
    id: 'unlisted',
    title: 'a list leaves out',
    fits: has('list'),
    violates: code('L', 'SVC-1', 'LST-PAGE', 'LIST-GET'),
    wraps: listing(isPlain, (records, isBad) => records.filter((record) => !isBad(record))),
  },
  {
    id: 'unfiltered',
    title: 'no filter finds',
    fits: ({ filters }) => filters.length > 0,
    violates: (family) => [`FLD-${family}`, 'LST-FILT', 'FOP-*', 'SVC-1'],
    wraps: listing(
      ({ criteria }) => criteria.length > 0,
      (records, isBad) => records.filter((record) => !isBad(record)),
    ),
  },
  {
    id: 'unsorted',
    title: 'every sort puts last',
    fits: ({ sorts }) => sorts.length > 0,
    violates: () => ['LST-SORT'],
    wraps: listing(
      ({ sort }) => sort !== undefined,
      (records, isBad) => [...records.filter((record) => !isBad(record)), ...records.filter(isBad)],
    ),
  },
  {
    id: 'doubled',
    title: 'a list shows twice',
    fits: has('list'),
    violates: code('L', 'LST-PAGE', 'RES-ID'),
    wraps: listing(isPlain, (records, isBad) =>
      records.flatMap((record) => (isBad(record) ? [record, record] : [record])),
    ),
  },
  {
    id: 'old-read',
    title: 'a read shows the state before of',
    needsBefore: true,
    fits: (row) => has('read')(row) && isChanged(row),
    violates: code('R', 'OP-*-U', 'PAY-U', 'SVC-1', 'FRESH-1', 'LIST-GET'),
    wraps: ({ family, watch, suffers, before }) => ({
      lookup: (inner) => ({
        byId: (name, id) => {
          const record = inner.byId(name, id);
          if (name !== family || record === undefined || !meets(watch, suffers(record))) return record;
          const old = before?.(record);
          return old === undefined || sameValue(old, record) ? record : changes(watch, old);
        },
      }),
    }),
  },
  {
    id: 'old-filter',
    title: 'filters look at the state before of',
    needsBefore: true,
    fits: (row) => row.filters.length > 0 && isChanged(row),
    violates: (family) => [`FLD-${family}`, 'LST-FILT', 'FOP-*', 'SVC-1', 'FRESH-1'],
    wraps: ({ family, watch, suffers, before }) => ({
      query: (inner) => ({
        accepts: (record, plan) => {
          const right = inner.accepts(record, plan);
          if (plan.family !== family || plan.criteria.length === 0 || !meets(watch, suffers(record))) return right;
          const wrong = inner.accepts(before?.(record) ?? record, plan);
          return wrong === right ? right : changes(watch, wrong);
        },
      }),
    }),
  },
  {
    id: 'update-undone',
    title: 'an update does nothing to',
    fits: has('update'),
    violates: code('U', 'PAY-U', 'SVC-1'),
    wraps: writing((_store, _name, _id, fields, old) => changesOf(old, fields)),
  },
  {
    id: 'update-failed',
    title: 'an update fails on',
    fits: has('update'),
    violates: code('U', 'PAY-U', 'SVC-1'),
    wraps: writing(() => {
      throw new Problem(500, 'internal', 'The resource cannot be updated');
    }),
  },
  {
    id: 'name-kept',
    title: 'an update changes all but the name of',
    fits: has('update'),
    violates: code('U', 'PAY-U', 'SVC-1'),
    wraps: writing((store, name, id, fields) => store.update(name, id, without(fields, nameMember(name)))),
  },
  {
    id: 'text-kept',
    title: 'an update changes all but the description of',
    fits: has('update'),
    violates: code('U', 'PAY-U', 'SVC-1'),
    wraps: writing((store, name, id, fields) => store.update(name, id, without(fields, 'description'))),
  },
  {
    id: 'delete-undone',
    title: 'a delete does nothing to',
    fits: has('delete'),
    violates: code('D', 'SVC-1'),
    wraps: ({ family, kit, watch, suffers }) => ({
      store: (inner) => ({
        remove: (name, id) => {
          const old = kit.seams.store.get(name, id);
          if (name !== family || old === undefined || !meets(watch, suffers(old))) return inner.remove(name, id);
          return changes(watch, true);
        },
      }),
    }),
  },
];

/** Effects that can show in a family. */
export function effectsIn(table: FamilyTable, family: string, isChangedBefore: boolean): readonly Effect[] {
  const row = table[family];
  return row === undefined
    ? []
    : EFFECTS.filter(({ fits, needsBefore }) => fits(row) && (isChangedBefore || !needsBefore));
}

export function effectOf(id: unknown): Effect {
  const effect = EFFECTS.find((each) => each.id === id);
  if (effect === undefined) throw new Error(`no effect ${String(id)}`);
  return effect;
}

/** Requirements that an effect in a family violates; a view shows nothing but what others hold. */
export function violatedBy(effect: Effect, family: string, table: FamilyTable): readonly string[] {
  return [...effect.violates(family), ...(table[family]?.viewOf === undefined ? [] : ['VIEW-PORTAL'])];
}
