import type { FamilyTable, Op } from '../../../../lib/contract/types.ts';
import { defined } from '../../../../lib/defined.ts';
import type { Fields, MaybePromise, Store } from '../../../seams.ts';
import { allOf, type StoredRecord } from '../../../store/store.ts';
import {
  cross,
  has,
  hasDescription,
  isOffered,
  type Operator,
  operators,
  sibling,
  violates,
  type Write,
  writes,
} from '../line.ts';
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

interface Harm {
  readonly title: string;
  readonly kinds: readonly Write[];
  readonly needs?: (table: FamilyTable, family: string) => boolean;
  /** Done after the write; true if it changed something. */
  readonly harm: (about: {
    readonly store: Store;
    readonly watch: Watch;
    readonly family: string;
    readonly id: string;
    readonly fields: Fields;
  }) => boolean | Promise<boolean>;
}

async function respell(
  store: Store,
  family: string,
  record: StoredRecord | undefined,
  fields: Fields,
): Promise<boolean> {
  if (record === undefined || Object.entries(fields).every(([member, value]) => record[member] === value)) return false;
  await store.update(family, record.id, fields);
  return true;
}

const WORDS = { newest: 'the record created before', oldest: 'the oldest record of a client' } as const;
type Which = keyof typeof WORDS;

const describing = (which: Which): Harm => ({
  title: `also gives its description to ${WORDS[which]}`,
  kinds: ['create', 'update'],
  needs: hasDescription,
  harm: ({ store, watch, family, id, fields }) =>
    respell(store, family, sibling(store, watch, family, id, which), defined({ description: fields['description'] })),
});

const removing = (which: Which): Harm => ({
  title: `also removes ${WORDS[which]}`,
  kinds: which === 'newest' ? ['update', 'delete'] : ['create', 'update', 'delete'],
  harm: async ({ store, watch, family, id }) => {
    const record = sibling(store, watch, family, id, which);
    return record !== undefined && (await store.remove(family, record.id));
  },
});

const HARMS: Readonly<Record<string, Harm>> = {
  'newest-described': describing('newest'),
  'oldest-described': describing('oldest'),
  'newest-removed': removing('newest'),
  'oldest-removed': removing('oldest'),
  doubled: {
    title: 'also makes a second record',
    kinds: ['create', 'update'],
    harm: async ({ store, family, id }) => {
      const { id: _id, ...members } = store.get(family, id) ?? { id };
      const copied = Object.entries(members).map(([member, value]) => [
        member,
        /name$/i.test(member) ? `${String(value)}-2` : value,
      ]);
      await store.create(family, Object.fromEntries(copied));
      return true;
    },
  },
  cleared: {
    title: 'also clears the description of the record created before',
    kinds: ['update', 'delete'],
    needs: hasDescription,
    harm: ({ store, watch, family, id }) =>
      respell(store, family, sibling(store, watch, family, id, 'newest'), { description: undefined }),
  },
  'undone-other': {
    title: 'also takes the last update of the record before back',
    kinds: ['update', 'delete'],
    needs: (table, family) => table[family]?.ops.includes('update') === true,
    harm: ({ store, watch, family, id }) => {
      const record = sibling(store, watch, family, id, 'newest');
      const before = record === undefined ? undefined : watch.previous(record.id);
      return before === undefined ? false : respell(store, family, record, before);
    },
  },
};

export const NEIGHBORS = operators('neighbor', 'request', HARMS, (harm) => ({
  title: ({ family, write }) => `${family}: ${write} ${harm.title}`,
  places: (table) => writes(table, harm.kinds).filter(({ family }) => harm.needs?.(table, family) ?? true),
  violates,
  install: ({ family, write }, _kit, watch, hit) => {
    /** A write as it was asked for, and then the harm; a create has no id before it is done. */
    const harmful = async <T>(
      store: Store,
      kind: Write,
      name: string,
      id: string,
      fields: Fields,
      work: () => MaybePromise<T>,
    ) => {
      const isHit = kind === write && name === family && hit({ key: kind === 'update' ? id : name });
      const done = await work();
      const made = typeof done === 'object' && done !== null && 'id' in done ? String(done.id) : id;
      if (isHit && (await harm.harm({ store, watch, family, id: made, fields }))) watch.exposure.changed += 1;
      return done;
    };
    return {
      store: (inner) => ({
        create: (name, fields) => harmful(inner, 'create', name, '', fields, () => inner.create(name, fields)),
        update: (name, id, fields) => harmful(inner, 'update', name, id, fields, () => inner.update(name, id, fields)),
        remove: (name, id) => harmful(inner, 'delete', name, id, {}, () => inner.remove(name, id)),
      }),
    };
  },
}));
