import { allOf, arrayList, type StoredRecord } from '../../../store/record.ts';
import { cross, has, type Operator } from '../line.ts';
import { changes } from '../watch.ts';
import { violates, writes } from '../writes.ts';

const WINDOWS = ['read', 'list', 'filtered', 'sorted'] as const;
type Window = (typeof WINDOWS)[number];

const isWindow = (window: Window, plan: { readonly criteria: readonly unknown[]; readonly sort?: unknown }) =>
  window === (plan.criteria.length > 0 ? 'filtered' : plan.sort === undefined ? 'list' : 'sorted');

/** Reads and lists that do not know of a write, for good. */
export const STALE: Operator = {
  id: 'stale-window',
  about: 'list',
  title: ({ family, write, window }) => `${family}: what ${write} wrote is never seen by ${window}`,
  places: (table) => {
    const owners = writes(table, ['create', 'delete', 'update']);
    const views = cross(table, ({ viewOf }) => viewOf !== undefined, { write: ['create', 'delete', 'update'] });
    const anc = cross(table, has('apply'), { write: ['create', 'delete'] });
    return [...owners, ...views, ...anc].flatMap((place) =>
      WINDOWS.filter((window) => window !== 'sorted' || (table[place.family]?.sorts.length ?? 0) > 0)
        // A plain list shows nothing that an update must change.
        .filter((window) => place['write'] !== 'update' || window === 'read' || window === 'filtered')
        .map((window) => ({ ...place, window })),
    );
  },
  violates,
  install: ({ family, write, window }, kit, watch, hit) => {
    const stale = (record: StoredRecord): StoredRecord | undefined => {
      if (write === 'update') return watch.previous(record.id) ?? record;
      const isNew = kit.seams.store.sources(family).some((source) => watch.created(source).includes(record.id));
      return write === 'create' && isNew ? undefined : record;
    };
    return {
      lookup: (inner) => ({
        byId: (name, id) => {
          const record = inner.byId(name, id);
          if (name !== family || window !== 'read') return record;
          const ghost = write === 'delete' ? watch.removed(family).find((each) => each.id === id) : undefined;
          const other = record === undefined ? ghost : stale(record);
          if (other === record || !hit({ key: id })) return record;
          return changes(watch, other);
        },
      }),
      query: (inner) => ({
        select: async (name, plan) => {
          const list = await inner.select(name, plan);
          if (name !== family || !isWindow(window as Window, plan) || !hit({ key: watch.now()?.query ?? '' }))
            return list;
          const shown = allOf(list);
          const ghosts =
            write === 'delete' ? watch.removed(family).filter((each) => kit.seams.query.accepts(each, plan)) : [];
          const all = allOf(kit.seams.store.list(name));
          const other =
            write === 'update'
              ? all.filter((record) => kit.seams.query.accepts(stale(record) ?? record, plan))
              : [...shown.flatMap((record) => stale(record) ?? []), ...ghosts];
          if (other.length === shown.length && other.every(({ id }, index) => shown[index]?.id === id)) return list;
          return changes(watch, arrayList([...other].sort(kit.seams.query.order(plan) ?? (() => 0))));
        },
      }),
    };
  },
};
