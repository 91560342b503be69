import { vendorFacts } from '../../../../lib/contract/vendor.ts';
import type { Fields } from '../../../seams.ts';
import { allOf, arrayList, type StoredRecord } from '../../../store/store.ts';
import { cross, has, type Operator, violates, writes } from '../line.ts';

const WINDOWS = ['read', 'list', 'filtered', 'sorted'] as const;
type Window = (typeof WINDOWS)[number];

const isWindow = (window: Window, plan: { readonly criteria: readonly unknown[]; readonly sort?: unknown }) =>
  window === (plan.criteria.length > 0 ? 'filtered' : plan.sort === undefined ? 'list' : 'sorted');

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
          return watch.changes(other);
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
          return watch.changes(arrayList([...other].sort(kit.seams.query.order(plan) ?? (() => 0))));
        },
      }),
    };
  },
};

const MOMENT_MS = 3;

export const PARALLEL: readonly Operator[] = (['lost', 'mixed'] as const).map(
  (effect): Operator => ({
    id: `parallel-${effect}`,
    about: 'request',
    title: ({ family, write }) =>
      `${family}: a parallel ${write} is ${effect === 'lost' ? 'lost' : 'stored with the members of another'}`,
    places: (table) =>
      writes(table, ['create', 'update']).filter(
        ({ family }) => effect === 'lost' || vendorFacts(family).listMembers.length > 0,
      ),
    violates: () => ['SVC-1', 'OP-*', 'PAY-*', 'ATOM-1', 'RES-ID'],
    install: ({ family, write }, kit, watch, hit) => {
      let latest: Fields = {};
      const isNow = (name: string, op: string, fields: Fields) => {
        const isBad = name === family && op === write && watch.open(family) > 1 && hit({ key: name });
        if (!isBad && name === family) latest = fields;
        return isBad;
      };
      const mixed = (fields: Fields): Fields => {
        const description = latest['description'];
        latest = fields;
        if (description === undefined || description === fields['description']) return fields;
        return watch.changes({ ...fields, description });
      };
      return {
        // Writes are over before the next one is read, unless each takes a moment.
        front: (inner) => ({
          handle: async (call) => {
            if (watch.now()?.family === family && watch.now()?.op === write) await kit.wait(MOMENT_MS);
            return inner.handle(call);
          },
        }),
        store: (inner) => ({
          create: async (name, fields) => {
            const isBad = isNow(name, 'create', fields);
            const record = await inner.create(name, isBad && effect === 'mixed' ? mixed(fields) : fields);
            if (!isBad || effect === 'mixed') return record;
            await inner.remove(name, record.id);
            return watch.changes(record);
          },
          update: async (name, id, fields) => {
            const isBad = isNow(name, 'update', fields);
            if (isBad && effect === 'lost') return watch.changes([]);
            return inner.update(name, id, isBad ? mixed(fields) : fields);
          },
        }),
      };
    },
  }),
);
