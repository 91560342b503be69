import { FAMILIES } from '../../../lib/contract/families.ts';
import { type Family, type FamilyTable, fieldsOf } from '../../../lib/contract/types.ts';
import { Problem } from '../../answers/problem.ts';
import { type Kit, telling } from '../../seams.ts';
import { nameOf, type StoredRecord } from '../../store/store.ts';
import { cross, has, type Place, recordsOf } from '../generated/line.ts';
import { inState, type Mistake, QUOTES } from './effects.ts';

/** Members that hold the id of a record of another family: `<family>Id`. */
const references = (table: FamilyTable) =>
  Object.entries(table).flatMap(([from, row]) =>
    Object.keys(fieldsOf(row)).flatMap((member) => {
      const to = member.replace(/Id$/, '');
      return to !== member && to !== from && Object.hasOwn(table, to) ? [{ from, member, to }] : [];
    }),
  );

/** Which records of a family suffer from what is written to another one: those that refer to it, are referred to, or have its name. */
function bonds(table: FamilyTable): readonly { family: string; by: string; bond: string }[] {
  const siblings = Object.values(table).flatMap(({ viewOf = [] }) =>
    viewOf.flatMap((family) => viewOf.flatMap((by) => (by === family ? [] : [{ family, by, bond: 'same-name' }]))),
  );
  const referring = references(table).flatMap(({ from, to }) => [
    { family: from, by: to, bond: 'refers' },
    { family: to, by: from, bond: 'referred' },
    { family: from, by: to, bond: 'same-name' },
    { family: to, by: from, bond: 'same-name' },
  ]);
  return [...referring, ...siblings];
}

function isBound({ family, by, bond }: Place, record: StoredRecord, written: StoredRecord): boolean {
  const name = nameOf(family, record);
  if (bond === 'same-name') return name !== '' && name === nameOf(String(by), written);
  const [from, holder, held] = bond === 'refers' ? [family, record, written] : [by, written, record];
  return references(FAMILIES).some((each) => each.from === from && holder[each.member] === held.id);
}

const WRITES = { create: 'C', update: 'U', delete: 'D' } as const;
type Write = keyof typeof WRITES;

const BONDS = inState({
  id: 'relations-other-family',
  title: 'after this write to a record of the other family, one with this bond to it suffers this',
  sentence: QUOTES.codes,
  states: (table) =>
    bonds(table).flatMap((bond) =>
      (Object.keys(WRITES) as Write[])
        // Nothing refers to a record that is not there yet.
        .filter((write) => has(write)(table[bond.by] as Family) && !(bond.bond === 'refers' && write === 'create'))
        .map((write) => ({ ...bond, write })),
    ),
  // A record that refers to nothing may be refused.
  isWrong: ({ bond, write }, effect) => !(bond === 'refers' && write === 'delete' && effect === 'update-fails'),
  more: ({ by, write }) => [`OP-${by}-${WRITES[write as Write]}`],
  bind: (place, kit) => {
    const bad = new Set<string>();
    const touch = (kind: Write, name: string, _id: string, written: StoredRecord | undefined) => {
      if (kind !== place['write'] || name !== place['by'] || written === undefined) return;
      for (const record of recordsOf(kit, place.family)) if (isBound(place, record, written)) bad.add(record.id);
    };
    return { wraps: { store: telling(touch) }, suffers: ({ id }) => bad.has(id) };
  },
});

const wordsOf = (name: string) => name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3);

function differsInSign(first: string, second: string): boolean {
  const at = Array.from(first, (sign, index) => (sign === second[index] ? -1 : index)).filter((index) => index >= 0);
  const isSign = (text: string) => /[^\p{L}\p{N}]/u.test(text[at[0] ?? 0] ?? '');
  return first.length === second.length && at.length === 1 && (isSign(first) || isSign(second));
}

const ALIKE: Readonly<Record<string, (first: string, second: string) => boolean>> = {
  continues: (first, second) => second.startsWith(first),
  'other-case': (first, second) => first.toLowerCase() === second.toLowerCase(),
  'other-sign': differsInSign,
  'long-beginning': (first, second) => first.length >= 24 && first.slice(0, 24) === second.slice(0, 24),
  'one-word': (first, second) => wordsOf(first).some((word) => wordsOf(second).includes(word)),
};

/** The oldest record before this one whose name is like its own; for one that is still to be made, among all. */
function elder(kit: Kit, family: string, record: StoredRecord | undefined, like: unknown): StoredRecord | undefined {
  if (record === undefined) return undefined;
  const name = nameOf(family, record);
  const all = recordsOf(kit, family);
  const own = all.findIndex(({ id }) => id === record.id);
  return all.slice(0, own < 0 ? all.length : own).find((other) => {
    const first = nameOf(family, other);
    return first !== '' && first !== name && ALIKE[String(like)]?.(first, name) === true;
  });
}

const ALIKE_EFFECT = inState({
  id: 'relations-alike-effect',
  title: 'a record whose name is like this to an older one suffers this',
  sentence: QUOTES.ids,
  // Real names share words and beginnings all the time: what suffers from that alone suffers nearly always.
  states: (table) => cross(table, has('create'), { like: ['continues', 'other-case', 'other-sign'] }),
  bind: ({ family, like }, kit) => ({ suffers: (record) => elder(kit, family, record, like) !== undefined }),
});

const HARMS: Readonly<Record<string, readonly string[]>> = {
  'delete-removes-it-too': ['D', 'SVC-1'],
  'update-describes-it-too': ['U', 'SVC-1'],
  'read-shows-it': ['R', 'RES-ID', 'LIST-GET'],
  'create-refused': ['C', 'PAY-C'],
  'create-overwrites-it': ['C', 'PAY-C', 'SVC-1', 'RES-ID'],
};

/** What is done to a record reaches the older one whose name is like its own. */
const ALIKE_HARM: Mistake = {
  id: 'relations-alike-harm',
  title: 'with an older record whose name is like this, this happens',
  sentence: QUOTES.codes,
  places: (table) =>
    cross(table, has('create'), { like: Object.keys(ALIKE), harm: Object.keys(HARMS) }).filter(
      ({ family, like, harm }) =>
        // Names that differ in case only may be one name to a deployment that refuses the second.
        !(harm === 'create-refused' && like === 'other-case') &&
        // Every second record of a client shares a word with the first.
        !(like === 'one-word' && String(harm).startsWith('create')) &&
        (harm !== 'update-describes-it-too' || has('update')(table[family] as Family)),
    ),
  violates: ({ family, harm }) => {
    const [code, ...others] = HARMS[String(harm)] ?? [];
    return [`OP-${family}-${code}`, ...others];
  },
  install: ({ family, like, harm }, kit, watch) => {
    const olderAt = (kind: string, name: string, record: StoredRecord | undefined) => {
      if (name !== family || !String(harm).startsWith(kind)) return undefined;
      const older = elder(kit, family, record, like);
      return watch.meets(older !== undefined) && older !== undefined ? watch.changes(older) : undefined;
    };
    return {
      lookup: (inner) => ({
        byId: (name, id) => olderAt('read', name, inner.byId(name, id)) ?? inner.byId(name, id),
      }),
      store: (inner) => ({
        create: async (name, fields) => {
          const older = olderAt('create', name, { ...fields, id: '' });
          if (older === undefined) return inner.create(name, fields);
          if (harm === 'create-refused') throw new Problem(400, 'crud', 'The resource already exists');
          await inner.update(name, older.id, fields);
          return older;
        },
        update: async (name, id, fields) => {
          const older = fields['description'] === undefined ? undefined : olderAt('update', name, inner.get(name, id));
          if (older !== undefined) await inner.update(name, older.id, { description: fields['description'] });
          return inner.update(name, id, fields);
        },
        remove: async (name, id) => {
          const older = olderAt('delete', name, inner.get(name, id));
          if (older !== undefined) await inner.remove(name, older.id);
          return inner.remove(name, id);
        },
      }),
    };
  },
};

const TWINS = inState({
  id: 'relations-twins',
  title: 'a record of the second family with the name of one of the first suffers this in the view of both',
  sentence: 'Read-only view of all portals',
  states: (table) =>
    Object.values(table)
      .flatMap(({ name: view, viewOf = [] }) =>
        cross(table, ({ name }) => name === view, { first: viewOf, second: viewOf }),
      )
      .filter(({ first, second }) => first !== second),
  hasBefore: () => true,
  bind: ({ first, second }, kit) => {
    const twin = (record: StoredRecord) =>
      kit.seams.store.get(String(second), record.id) === undefined
        ? undefined
        : recordsOf(kit, String(first)).find((other) => other['name'] === record['name']);
    return { suffers: (record) => twin(record) !== undefined, before: twin };
  },
});

export const RELATIONS: readonly Mistake[] = [BONDS, ALIKE_EFFECT, ALIKE_HARM, TWINS];
