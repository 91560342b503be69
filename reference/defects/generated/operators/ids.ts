import type { Op } from '../../../../lib/contract/types.ts';
import type { Store } from '../../../seams.ts';
import { allOf } from '../../../store/record.ts';
import { cross, has, isOffered, type Operator, operators, sibling } from '../line.ts';
import type { Watch } from '../watch.ts';

interface Mixup {
  readonly title: string;
  readonly ops: readonly Op[];
  readonly other: (id: string, family: string, watch: Watch, store: Store) => string | undefined;
}

const newest = (id: string, family: string, watch: Watch, store: Store) =>
  sibling(store, watch, family, id, 'newest')?.id;
const first = (id: string, family: string, _watch: Watch, store: Store) =>
  store
    .list(family)
    .slice(0, 2)
    .find((record) => record.id !== id)?.id;
const next = (id: string, family: string, _watch: Watch, store: Store) => {
  const all = allOf(store.list(family));
  return all[(all.findIndex((record) => record.id === id) + 1) % all.length]?.id;
};

const MIXUPS: Readonly<Record<string, Mixup>> = {
  newest: { title: 'the record created before', ops: ['read', 'update', 'delete'], other: newest },
  first: { title: 'the first record', ops: ['read', 'update'], other: first },
  next: { title: 'the next record', ops: ['read', 'update'], other: next },
};

export const IDS = operators('id', 'request', MIXUPS, (mixup, which) => ({
  title: ({ family, op }) => `${family}: ${op} reaches ${mixup.title}`,
  places: (table) =>
    cross(table, which === 'newest' ? has('create') : () => true, { op: mixup.ops }).filter(isOffered(table, 'op')),
  violates: () => ['OP-*', 'LIST-GET', 'SPC-*', 'PAY-*', 'RES-ID', 'VIEW-*'],
  install: ({ family, op }, kit, watch, hit) => {
    const wrong = (name: string, id: string) => {
      if (name !== family || watch.now()?.op !== op || !hit({ key: op === 'delete' ? name : id })) return id;
      const other = mixup.other(id, family, watch, kit.seams.store);
      return other === undefined || other === id ? id : watch.changes(other);
    };
    return {
      lookup: (inner) => ({
        byId: (name, id) => (inner.byId(name, id) === undefined ? undefined : inner.byId(name, wrong(name, id))),
      }),
      store: (inner) => ({
        update: (name, id, fields) => inner.update(name, wrong(name, id), fields),
        remove: (name, id) => inner.remove(name, wrong(name, id)),
      }),
    };
  },
}));

export const UNKNOWN: Operator = {
  id: 'id-unknown',
  about: 'request',
  title: ({ family, op }) =>
    `${family}: ${op} of an id that names no record ${op === 'read' ? 'shows' : 'reaches'} the newest record`,
  places: (table) => cross(table, has('create'), { op: ['read', 'update', 'delete'] }).filter(isOffered(table, 'op')),
  violates: () => ['NEG-404', 'OP-*'],
  install: ({ family, op }, kit, watch, hit) => {
    const instead = (name: string, id: string) => {
      if (name !== family || watch.now()?.op !== op || watch.now()?.family !== family) return undefined;
      if (!/^[0-9a-f-]{36}$/i.test(id)) return undefined;
      const record = sibling(kit.seams.store, watch, family, id, 'newest');
      return record === undefined || !hit({ key: name }) ? undefined : watch.changes(record);
    };
    return {
      store: (inner) => {
        const newestFor = (name: string, id: string) =>
          inner.get(name, id) === undefined ? (inner.get(name, watch.created(name)[0] ?? '')?.id ?? id) : id;
        return {
          get: (name, id) => inner.get(name, id) ?? (op === 'read' ? undefined : instead(name, id)),
          update: (name, id, fields) => inner.update(name, newestFor(name, id), fields),
          remove: (name, id) => inner.remove(name, newestFor(name, id)),
        };
      },
      lookup: (inner) => ({
        byId: (name, id) => inner.byId(name, id) ?? (op === 'read' ? instead(name, id) : undefined),
      }),
    };
  },
};
