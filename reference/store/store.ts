import { type FamilyTable, fieldsOf } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import type { Change, Fields, Seams, Store } from '../seams.ts';

/** Records of one family, in the order in which they were made. */
export function recordTable(indexed: readonly string[]) {
  const records = new Map<string, StoredRecord>();
  const indexes = new Map<string, Map<unknown, StoredRecord>>(indexed.map((member) => [member, new Map()]));
  // Kept from one list to the next, until a record goes or changes: a page at depth 5,000 costs what page 1 costs.
  let all: StoredRecord[] | undefined;
  let writes = 0;

  const list = (): RecordList => {
    all ??= [...records.values()];
    return arrayList(all);
  };
  const addToIndexes = (record: StoredRecord) => {
    for (const [member, index] of indexes) if (record[member] !== undefined) index.set(record[member], record);
  };
  const dropFromIndexes = (record: StoredRecord) => {
    for (const [member, index] of indexes)
      if (index.get(record[member])?.id === record.id) index.delete(record[member]);
    all = undefined;
    writes += 1;
  };

  return {
    get length() {
      return records.size;
    },
    slice: (from: number, to: number) => list().slice(from, to),
    pieces: () => list().pieces(),
    get: (id: string): StoredRecord | undefined => records.get(id),
    /** Last record whose indexed member holds the value; undefined also where the member has no index. */
    find: (member: string, value: unknown): StoredRecord | undefined => indexes.get(member)?.get(value),
    indexes: (member: string): boolean => indexes.has(member),
    insert: (record: StoredRecord): void => {
      records.set(record.id, record);
      all?.push(record);
      addToIndexes(record);
      writes += 1;
    },
    /** Puts a new version in the place of the record with the same id. */
    replace: (record: StoredRecord): void => {
      const old = records.get(record.id);
      if (old === undefined) return;
      dropFromIndexes(old);
      records.set(record.id, record);
      addToIndexes(record);
    },
    remove: (id: string): boolean => {
      const record = records.get(id);
      if (record !== undefined) dropFromIndexes(record);
      return records.delete(id);
    },
    /** Grows with every write. */
    version: () => writes,
  };
}
type RecordTable = ReturnType<typeof recordTable>;

/** A record as stored: never changed in place, so that a reader sees one version whole. */
export interface StoredRecord {
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface RecordList {
  readonly length: number;
  /** Records at positions from (inclusive) to (exclusive). */
  readonly slice: (from: number, to: number) => readonly StoredRecord[];
  /** The same records in pieces of bounded length, for work that gives way to others in between. */
  readonly pieces: () => Iterable<readonly StoredRecord[]>;
}

export const allOf = (list: RecordList): readonly StoredRecord[] => [...list.pieces()].flat();

const PIECE = 1024;

export function arrayList(records: readonly StoredRecord[]): RecordList {
  return {
    length: records.length,
    slice: (from, to) => records.slice(Math.max(0, from), Math.max(0, to)),
    *pieces() {
      for (let start = 0; start < records.length; start += PIECE) yield records.slice(start, start + PIECE);
    },
  };
}

/** Member by which a record is named: the first that must differ between records. */
export const nameMember = (family: string): string => vendorFacts(family).unique?.[0] ?? 'name';

/** Name of a record; empty if it has none. */
export const nameOf = (family: string, record: Fields): string => String(record[nameMember(family)] ?? '');

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
    list: (name): RecordList => {
      const [only, ...more] = owners(name);
      return only !== undefined && more.length === 0 ? only : arrayList(owners(name).flatMap(allOf));
    },
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
