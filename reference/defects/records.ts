import { fieldsOf } from '../../lib/contract/types.ts';
import { type Defect, defect, withFields } from '../deviation.ts';
import type { Fields, Kit, Store } from '../seams.ts';
import { allOf, nameOf } from '../store/record.ts';
import { changesOf } from '../store/store.ts';

const DROPPED = 'description';

const spoiled = (text: string) =>
  text
    .trim()
    .replace(/[^ -~]/g, '?')
    .replace(/ {2,}/g, ' ');

/** Strings of listed text fields, spoiled; those with a form or a list of values are left alone. */
function spoilTexts(kit: Kit, name: string, fields: Fields): Fields {
  const rows = fieldsOf(kit.table[name]);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const row = rows[field];
      const plain = row?.type === 'string' && row.form === undefined && typeof value === 'string';
      return [field, plain ? spoiled(value) : value];
    }),
  );
}

function removeAlike(kit: Kit, store: Store, family: string, removed: Fields): void {
  const name = nameOf(family, removed);
  if (name === '') return;
  const own = allOf(store.list(family)).filter((record) => nameOf(family, record).startsWith(name));
  for (const { id } of own) void store.remove(family, id);
  for (const other of Object.keys(kit.table).filter((key) => key !== family && kit.table[key]?.viewOf === undefined)) {
    const twins = allOf(store.list(other)).filter((record) => nameOf(other, record) === name);
    for (const { id } of twins) void store.remove(other, id);
  }
}

export const RECORD_DEFECTS: readonly Defect[] = [
  defect('M01', 'create answers success and stores nothing', ['SVC-1', 'OP-*-C'], 'store', () => ({
    create: (_name, fields) => ({ id: crypto.randomUUID(), ...fields }),
  })),
  defect('M02', `create drops ${DROPPED}`, ['PAY-C'], 'store', (inner) => ({
    create: (name, { [DROPPED]: _dropped, ...fields }) => inner.create(name, fields),
  })),
  defect(
    'M03',
    'create and update trim texts and spoil every character beyond ASCII',
    ['PAY-C', 'RES-TYPE'],
    'store',
    (inner, kit) => withFields((_kind, name, fields) => spoilTexts(kit, name, fields))(inner),
  ),
  defect('M10', 'update answers success and changes nothing', ['OP-*-U', 'PAY-U'], 'store', (inner) => ({
    update: (name, id, fields) => changesOf(inner.get(name, id) ?? { id }, fields),
  })),
  defect('M11', `update also writes ${DROPPED} into the record created before`, ['OP-*-U'], 'store', (inner) => ({
    update: async (name, id, fields) => {
      const all = allOf(inner.list(name));
      const sibling = all[all.findIndex((record) => record.id === id) - 1];
      if (sibling !== undefined && fields[DROPPED] !== undefined)
        await inner.update(name, sibling.id, { [DROPPED]: fields[DROPPED] });
      return inner.update(name, id, fields);
    },
  })),
  defect('M12', 'update creates a second record', ['OP-*-U', 'CNV-VERB'], 'store', (inner) => ({
    update: async (name, id, fields) => {
      const changes = await inner.update(name, id, fields);
      const { id: _id, ...copy } = inner.get(name, id) ?? { id };
      await inner.create(name, copy);
      return changes;
    },
  })),
  defect('M13', 'delete answers success and the record stays', ['OP-*-D', 'SVC-1'], () => ({
    store: (inner) => ({ remove: (name, id) => inner.get(name, id) !== undefined }),
  })),
  defect(
    'M14',
    'delete removes every record whose name begins alike, and those of that name in other families',
    ['OP-*-D'],
    'store',
    (inner, kit) => ({
      remove: async (name, id) => {
        const record = inner.get(name, id);
        const removed = await inner.remove(name, id);
        if (record !== undefined) removeAlike(kit, inner, name, record);
        return removed;
      },
    }),
  ),
  defect('M15', 'a deleted record is gone by id and still listed', ['SVC-1', 'OP-*-D'], 'store', (inner) => {
    const gone = new Set<string>();
    return {
      get: (name, id) => (gone.has(id) ? undefined : inner.get(name, id)),
      remove: (name, id) => {
        if (inner.get(name, id) === undefined || gone.has(id)) return false;
        gone.add(id);
        return true;
      },
    };
  }),
  defect('M16', 'reads show the id as a number', ['RES-ID'], 'present', (inner) => ({
    read: (name, record) => ({ ...inner.read(name, record), id: Number.parseInt(record.id.slice(0, 8), 16) }),
  })),
  defect('M17', 'a read by id always answers with the first record', ['OP-*-R'], 'lookup', (inner, kit) => ({
    byId: (name, id) => (inner.byId(name, id) === undefined ? undefined : kit.seams.store.list(name).slice(0, 1)[0]),
  })),
];
