import { vendorFacts } from '../../../../lib/contract/vendor.ts';
import type { AncTarget } from '../../../../lib/wire/anc.ts';
import type { Anc, BulkRequest, Fields, Kit } from '../../../seams.ts';
import { areBy, cross, has, isOffered, type Operator, operators, recordsOf } from '../line.ts';

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
  // The specification shows no place for items, nor for ids (gap G-08): a deployment that never finds ours may know others.
  mayAlways: ({ action }) => id === 'undone' && action !== 'update',
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

interface AncMistake {
  readonly title: string;
  readonly on: readonly ('apply' | 'clear')[];
  readonly by: readonly ('mac' | 'ip')[];
  readonly run: (about: {
    readonly anc: Anc;
    readonly op: 'apply' | 'clear';
    readonly targets: readonly AncTarget[];
    readonly kit: Kit;
    readonly family: string;
  }) => Promise<void>;
}

function neighborOf(address: string): string {
  const [separator, radix] = address.includes('.') ? ['.', 10] : [address.includes('-') ? '-' : ':', 16];
  const parts = address.split(separator);
  const last = (Number.parseInt(parts.at(-1) ?? '0', radix) + 7) % 250;
  const text = radix === 10 ? String(last) : last.toString(16).toUpperCase().padStart(2, '0');
  return [...parts.slice(0, -1), text].join(separator);
}

const moved = (target: AncTarget): AncTarget => ({
  ...target,
  ...(target.macAddress === undefined ? {} : { macAddress: neighborOf(target.macAddress) }),
  ...(target.ipAddress === undefined ? {} : { ipAddress: neighborOf(target.ipAddress) }),
});

const quietly = async (work: () => unknown) => {
  try {
    await work();
  } catch {
    // The endpoint was in that state already: nothing more to spoil.
  }
};

const otherPolicy = (kit: Kit, family: string, policy: string | undefined): string => {
  const known = recordsOf(kit, family).map((record) => String(record['policyName']));
  return known.find((name) => name !== policy) ?? 'OTHER_POLICY';
};

const BOTH = ['apply', 'clear'] as const;
const ANY_ADDRESS = ['mac', 'ip'] as const;

const ANCS: Readonly<Record<string, AncMistake>> = {
  undone: { title: 'does nothing', on: BOTH, by: ANY_ADDRESS, run: async () => undefined },
  'other-endpoint': {
    title: 'reaches another endpoint',
    on: ['apply'],
    by: ANY_ADDRESS,
    run: async ({ anc, op, targets }) => quietly(() => anc[op](targets.map(moved))),
  },
  'also-other': {
    title: 'reaches another endpoint too',
    on: BOTH,
    by: ANY_ADDRESS,
    run: async ({ anc, op, targets, kit, family }) => {
      await anc[op](targets);
      if (op === 'apply') return quietly(() => anc.apply(targets.map(moved)));
      const [other] = recordsOf(kit, family);
      if (other !== undefined) await kit.seams.store.remove(family, other.id);
    },
  },
  'other-policy': {
    title: 'stores another policy',
    on: ['apply'],
    by: ANY_ADDRESS,
    run: async ({ anc, targets, kit, family }) => {
      await anc.apply(targets);
      const newest = recordsOf(kit, family);
      for (const target of targets) {
        const policyName = otherPolicy(kit, family, target.policyName);
        const record =
          newest.find((each) => String(each['macAddress']).toUpperCase() === target.macAddress?.toUpperCase()) ??
          newest.at(-1);
        if (record !== undefined) await kit.seams.store.update(family, record.id, { policyName });
      }
    },
  },
  'policy-kept': {
    title: 'leaves the policy an endpoint holds where another is applied',
    on: ['apply'],
    by: ['mac'],
    run: async ({ anc, targets, kit, family }) => {
      const held = new Map(
        targets.map(({ macAddress = '' }) => [
          macAddress,
          kit.seams.store.find(family, 'macAddress', macAddress.toUpperCase()),
        ]),
      );
      await anc.apply(targets);
      for (const record of held.values())
        if (record !== undefined) await kit.seams.store.update(family, record.id, { policyName: record['policyName'] });
    },
  },
  'all-cleared': {
    title: 'clears every endpoint',
    on: ['clear'],
    by: ['mac'],
    run: async ({ anc, targets, kit, family }) => {
      await anc.clear(targets);
      for (const record of recordsOf(kit, family)) await kit.seams.store.remove(family, record.id);
    },
  },
  doubled: {
    title: 'makes a second record for the endpoint',
    on: ['apply'],
    by: ANY_ADDRESS,
    run: async ({ anc, targets, kit, family }) => {
      await anc.apply(targets);
      const newest = recordsOf(kit, family).at(-1);
      if (newest === undefined) return;
      const { id: _id, ...members } = newest;
      await kit.seams.store.create(family, members);
    },
  },
};

export const ANC = operators('anc', 'request', ANCS, (mistake) => ({
  title: ({ family, op, by }) => `${family}: ${op} by ${by} ${mistake.title}`,
  places: (table) =>
    cross(table, has('apply'), { op: mistake.on, by: mistake.by })
      // The specification names no clear by IP address.
      .filter(({ op, by }) => op === 'apply' || by === 'mac'),
  violates: () => ['SPC-ANC', 'SVC-1'],
  install: ({ family, op, by }, kit, watch, hit) => ({
    anc: (inner) => ({
      [String(op)]: async (targets: readonly AncTarget[]) => {
        const kind = op as 'apply' | 'clear';
        if (!areBy(targets, by) || !hit({ key: JSON.stringify(targets[0]) })) return inner[kind](targets);
        await mistake.run({ anc: inner, op: kind, targets, kit, family });
        watch.exposure.changed += 1;
      },
    }),
  }),
}));
