import type { FamilyTable } from '../../../../lib/contract/types.ts';
import { defined } from '../../../../lib/defined.ts';
import type { Fields, MaybePromise, Store } from '../../../seams.ts';
import type { StoredRecord } from '../../../store/record.ts';
import { hasDescription, operators, sibling, violates, type Write, writes } from '../line.ts';
import type { Watch } from '../watch.ts';

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
