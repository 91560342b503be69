import { type FamilyTable, fieldsOf } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import type { Change, Fields, Seams, Store } from '../seams.ts';
import { joinedList, type RecordList, type StoredRecord } from './record.ts';
import { type RecordTable, recordTable } from './record-table.ts';

/** Members a family's records are found by without a scan: those that differ between records, and MAC addresses. */
function indexedMembers(table: FamilyTable, name: string): readonly string[] {
  const addresses = Object.entries(fieldsOf(table[name]))
    .filter(([, field]) => field.form === 'mac')
    .map(([field]) => memberOf(name, field));
  return [...new Set([...(vendorFacts(name).unique ?? []), ...addresses])];
}

/** Same value, lists and objects compared by their content. */
export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

/** Members that an update changes, with their values before and after. */
export function changesOf(old: StoredRecord, fields: Fields): readonly Change[] {
  return Object.entries(fields)
    .filter(([field, value]) => field !== 'id' && !sameValue(old[field], value))
    .map(([field, newValue]) => ({ field, oldValue: old[field], newValue }));
}

function without(record: Fields): Fields {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Records of all families of a table, in memory. `newId` makes the ids. */
export function createStore(table: FamilyTable, seams: Seams, newId: () => string): Store {
  const tables = new Map<string, RecordTable>();
  for (const name of Object.keys(table)) tables.set(name, recordTable(indexedMembers(table, name)));

  const tableOf = (name: string): RecordTable => {
    const found = tables.get(name);
    if (found === undefined) throw new Error(`no family ${name}`);
    return found;
  };
  const owners = (name: string) => seams.store.sources(name).map(tableOf);
  const ownerOf = (name: string, id: string) => owners(name).find((owner) => owner.get(id) !== undefined);

  return {
    sources: (name) => table[name]?.viewOf ?? [name],
    list: (name): RecordList => joinedList(owners(name)),
    get: (name, id) => ownerOf(name, id)?.get(id),
    indexed: (name, member) => tableOf(name).indexes(member),
    find: (name, member, value) => tableOf(name).find(member, value),
    create: (name, fields) => {
      const { id, ...members } = fields;
      const record = { id: typeof id === 'string' ? id : newId(), ...without(members) };
      tableOf(name).insert(record);
      return record;
    },
    update: (name, id, fields) => {
      const owner = ownerOf(name, id);
      const old = owner?.get(id);
      if (owner === undefined || old === undefined) return [];
      owner.replace({ ...without({ ...old, ...fields }), id });
      return changesOf(old, fields);
    },
    remove: (name, id) => ownerOf(name, id)?.remove(id) ?? false,
    version: (name) => owners(name).reduce((sum, owner) => sum + owner.version(), 0),
  };
}
