import { type Field, fieldsOf } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { type Fields, type Kit, type Store, wrap } from '../seams.ts';
import { changesOf } from '../store/store.ts';
import type { Defect } from './defect.ts';

/** A listed text field that nothing else depends on. */
const DROPPED = 'description';

const spoiled = (text: string) =>
  text
    .trim()
    .replace(/[^ -~]/g, '?')
    .replace(/ {2,}/g, ' ');

/** Strings of listed text fields, spoiled; those with a form or a list of values are left alone. */
function spoilTexts(kit: Kit, name: string, fields: Fields): Fields {
  const family = kit.table[name];
  const rows: Readonly<Record<string, Field>> = family === undefined ? {} : fieldsOf(family);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const row = rows[field];
      const plain = row?.type === 'string' && row.form === undefined && typeof value === 'string';
      return [field, plain ? spoiled(value) : value];
    }),
  );
}

/** Name a record goes by: the member that must differ between records. */
function nameOf(family: string, record: Fields): string {
  return String(record[vendorFacts(family).unique?.[0] ?? 'name'] ?? '');
}

function removeAlike(kit: Kit, store: Store, family: string, removed: Fields): void {
  const name = nameOf(family, removed);
  if (name === '') return;
  const own = [...store.list(family).pieces()].flat().filter((record) => nameOf(family, record).startsWith(name));
  for (const { id } of own) void store.remove(family, id);
  for (const other of Object.keys(kit.table).filter((key) => key !== family && kit.table[key]?.viewOf === undefined)) {
    const twins = [...store.list(other).pieces()].flat().filter((record) => nameOf(other, record) === name);
    for (const { id } of twins) void store.remove(other, id);
  }
}

/** Defects of create, update, delete and read. */
export const RECORD_DEFECTS: readonly Defect[] = [
  {
    id: 'M01',
    title: 'create answers success and stores nothing',
    violates: ['SVC-1', 'OP-*-C'],
    install: wrap('store', () => ({ create: (_name, fields) => ({ id: crypto.randomUUID(), ...fields }) })),
  },
  {
    id: 'M02',
    title: `create drops ${DROPPED}`,
    violates: ['PAY-C'],
    install: wrap('store', (inner) => ({
      create: (name, { [DROPPED]: _dropped, ...fields }) => inner.create(name, fields),
    })),
  },
  {
    id: 'M03',
    title: 'create and update trim texts and spoil every character beyond ASCII',
    violates: ['PAY-C', 'RES-TYPE'],
    install: wrap('store', (inner, kit) => ({
      create: (name, fields) => inner.create(name, spoilTexts(kit, name, fields)),
      update: (name, id, fields) => inner.update(name, id, spoilTexts(kit, name, fields)),
    })),
  },
  {
    id: 'M10',
    title: 'update answers success and changes nothing',
    violates: ['OP-*-U', 'PAY-U'],
    install: wrap('store', (inner) => ({
      update: (name, id, fields) => changesOf(inner.get(name, id) ?? { id }, fields),
    })),
  },
  {
    id: 'M11',
    title: `update also writes ${DROPPED} into the record created before`,
    violates: ['OP-*-U'],
    install: wrap('store', (inner) => ({
      update: async (name, id, fields) => {
        const all = [...inner.list(name).pieces()].flat();
        const sibling = all[all.findIndex((record) => record.id === id) - 1];
        if (sibling !== undefined && fields[DROPPED] !== undefined)
          await inner.update(name, sibling.id, { [DROPPED]: fields[DROPPED] });
        return inner.update(name, id, fields);
      },
    })),
  },
  {
    id: 'M12',
    title: 'update creates a second record',
    violates: ['OP-*-U', 'CNV-VERB'],
    install: wrap('store', (inner) => ({
      update: async (name, id, fields) => {
        const changes = await inner.update(name, id, fields);
        const { id: _id, ...copy } = inner.get(name, id) ?? { id };
        await inner.create(name, copy);
        return changes;
      },
    })),
  },
  {
    id: 'M13',
    title: 'delete answers success and the record stays',
    violates: ['OP-*-D', 'SVC-1'],
    install: () => ({ store: (inner) => ({ remove: (name, id) => inner.get(name, id) !== undefined }) }),
  },
  {
    id: 'M14',
    title: 'delete removes every record whose name begins alike, and those of that name in other families',
    violates: ['OP-*-D'],
    install: wrap('store', (inner, kit) => ({
      remove: async (name, id) => {
        const record = inner.get(name, id);
        const removed = await inner.remove(name, id);
        if (record !== undefined) removeAlike(kit, inner, name, record);
        return removed;
      },
    })),
  },
  {
    id: 'M15',
    title: 'a deleted record is gone by id and still listed',
    violates: ['SVC-1', 'OP-*-D'],
    install: wrap('store', (inner) => {
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
  },
  {
    id: 'M16',
    title: 'reads show the id as a number',
    violates: ['RES-ID'],
    install: wrap('present', (inner) => ({
      read: (name, record) => ({ ...inner.read(name, record), id: Number.parseInt(record.id.slice(0, 8), 16) }),
    })),
  },
  {
    id: 'M17',
    title: 'a read by id always answers with the first record',
    violates: ['OP-*-R'],
    install: wrap('lookup', (inner, kit) => ({
      byId: (name, id) => (inner.byId(name, id) === undefined ? undefined : kit.seams.store.list(name).slice(0, 1)[0]),
    })),
  },
];
