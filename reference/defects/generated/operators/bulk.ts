import { vendorFacts } from '../../../../lib/contract/vendor.ts';
import type { BulkRequest, Fields } from '../../../seams.ts';
import { cross, has, isOffered, type Operator, operators } from '../line.ts';

interface BulkMistake {
  readonly title: string;
  readonly change: (request: BulkRequest) => BulkRequest;
}

const resources =
  (change: (items: readonly Fields[]) => readonly Fields[]) =>
  (request: BulkRequest): BulkRequest => ({
    ...request,
    resources: change(request.resources),
  });

/** The members of the first item in all of them, but for what tells them apart. */
function likeFirst(items: readonly Fields[], unique: readonly string[]): readonly Fields[] {
  const [first = {}] = items;
  const shared = Object.fromEntries(
    Object.entries(first).filter(([member]) => member !== 'id' && !unique.includes(member)),
  );
  return items.map((item) => ({ ...item, ...shared }));
}

const BULKS: Readonly<Record<string, BulkMistake>> = {
  'first-lost': { title: 'loses its first item', change: resources((items) => items.slice(1)) },
  'last-lost': { title: 'loses its last item', change: resources((items) => items.slice(0, -1)) },
  'second-lost': {
    title: 'loses its second item',
    change: resources((items) => items.filter((_, index) => index !== 1)),
  },
  'first-only': { title: 'does its first item only', change: resources((items) => items.slice(0, 1)) },
  undone: { title: 'is completed and nothing is done', change: (request) => ({ ...request, resources: [], ids: [] }) },
  'all-like-first': {
    title: 'gives all items the members of the first',
    change: (request) => ({ ...request, resources: likeFirst(request.resources, ['name', 'value']) }),
  },
  'ids-lost': { title: 'loses its last id', change: (request) => ({ ...request, ids: request.ids.slice(0, -1) }) },
};

export const BULK = operators('bulk', 'request', BULKS, (mistake, id) => ({
  op: 'bulkSubmit',
  title: ({ family, action }) => `${family}: a bulk ${action} ${mistake.title}`,
  places: (table) =>
    cross(table, has('bulkSubmit', 'create'), { action: ['create', 'update', 'delete'] })
      .filter(isOffered(table, 'action'))
      // Only a delete is sent by ids, and only the others carry members to be mixed up.
      .filter(({ action }) => (id === 'ids-lost') === (action === 'delete') || id === 'undone')
      .filter(({ family }) => id !== 'all-like-first' || vendorFacts(family).listMembers.length > 0),
  violates: () => ['SPC-BULK', 'SVC-1'],
  // The specification shows no place for items (gap G-08): a deployment that never finds ours may know another.
  mayAlways: ({ action }) => id === 'undone' && action === 'create',
  install: ({ family, action }, _kit, watch, hit) => ({
    bulk: (inner) => ({
      submit: (name, request) => {
        if (name !== family || request.action !== action || !hit({ key: name })) return inner.submit(name, request);
        const other = mistake.change(request);
        const isSame = JSON.stringify(other) === JSON.stringify(request);
        return inner.submit(name, isSame ? request : watch.changes(other));
      },
    }),
  }),
}));

export const MONITOR: Operator = {
  id: 'bulk-monitor',
  about: 'request',
  op: 'bulkMonitor',
  title: ({ family, effect }) =>
    `${family}: the monitor of a bulk request ${effect === 'lost' ? 'does not know it' : 'never sees it completed'}`,
  places: (table) => cross(table, has('bulkMonitor'), { effect: ['lost', 'open'] }),
  violates: () => ['SPC-BULK', 'OP-*-BM'],
  install: ({ family, effect }, _kit, watch, hit) => {
    const bad = new Map<string, boolean>();
    return {
      bulk: (inner) => ({
        monitor: (name, id) => {
          const state = inner.monitor(name, id);
          if (name !== family || state === undefined) return state;
          const isBad = bad.get(id) ?? hit({ key: name });
          bad.set(id, isBad);
          if (!isBad) return state;
          return watch.changes(effect === 'lost' ? undefined : { ...state, done: false });
        },
      }),
    };
  },
};
