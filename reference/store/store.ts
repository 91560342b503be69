import { type FamilyTable, fieldsOf } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import type { Change, Fields, Seams, Store } from '../seams.ts';

const BLOCK = 1024;
/** Slots of a block whose records are all gone; as long as a full one, so that nothing is added to it. */
const FREED: (StoredRecord | undefined)[] = new Array<StoredRecord | undefined>(BLOCK);

interface Block {
  records: (StoredRecord | undefined)[];
  live: number;
}

/**
 * Records of one family in blocks of slots with a count of live records each. A walk over the counts finds the record at
 * a position: a page at depth 5,000 costs about what page 1 costs, and holes of removed records are skipped together.
 */
export function recordTable(indexed: readonly string[]) {
  const blocks: Block[] = [];
  const slots = new Map<string, number>();
  const indexes = new Map<string, Map<unknown, StoredRecord>>(indexed.map((member) => [member, new Map()]));
  let writes = 0;

  const at = (slot: number) => blocks[Math.floor(slot / BLOCK)]?.records[slot % BLOCK];
  const addToIndexes = (record: StoredRecord) => {
    for (const [member, index] of indexes) if (record[member] !== undefined) index.set(record[member], record);
  };
  const dropFromIndexes = (record: StoredRecord) => {
    for (const [member, index] of indexes)
      if (index.get(record[member])?.id === record.id) index.delete(record[member]);
  };
  const put = (slot: number, record: StoredRecord | undefined) => {
    const block = blocks[Math.floor(slot / BLOCK)];
    if (block !== undefined) block.records[slot % BLOCK] = record;
    writes += 1;
  };

  const insert = (record: StoredRecord) => {
    let last = blocks.at(-1);
    if (last === undefined || last.records.length === BLOCK) {
      last = { records: [], live: 0 };
      blocks.push(last);
    }
    slots.set(record.id, (blocks.length - 1) * BLOCK + last.records.length);
    last.records.push(record);
    last.live += 1;
    addToIndexes(record);
    writes += 1;
  };

  const remove = (id: string) => {
    const slot = slots.get(id);
    const record = slot === undefined ? undefined : at(slot);
    const block = slot === undefined ? undefined : blocks[Math.floor(slot / BLOCK)];
    if (slot === undefined || record === undefined || block === undefined) return false;
    slots.delete(id);
    dropFromIndexes(record);
    put(slot, undefined);
    block.live -= 1;
    // A full block without live records is never written again: give its memory back.
    if (block.live === 0 && block.records.length === BLOCK) block.records = FREED;
    return true;
  };

  return {
    get length() {
      return slots.size;
    },
    slice: (from: number, to: number) => sliceOf(blocks, from, to),
    *pieces() {
      for (const block of [...blocks]) if (block.live > 0) yield liveOf(block);
    },
    get: (id: string): StoredRecord | undefined => {
      const slot = slots.get(id);
      return slot === undefined ? undefined : at(slot);
    },
    /** Last record whose indexed member holds the value; undefined also where the member has no index. */
    find: (member: string, value: unknown): StoredRecord | undefined => indexes.get(member)?.get(value),
    indexes: (member: string): boolean => indexes.has(member),
    insert,
    /** Puts a new version in the place of the record with the same id. */
    replace: (record: StoredRecord): void => {
      const slot = slots.get(record.id);
      const old = slot === undefined ? undefined : at(slot);
      if (slot === undefined || old === undefined) return;
      dropFromIndexes(old);
      put(slot, record);
      addToIndexes(record);
    },
    remove,
    /** Grows with every write. */
    version: () => writes,
  };
}
type RecordTable = ReturnType<typeof recordTable>;

function liveOf(block: Block): readonly StoredRecord[] {
  return block.records.filter((record) => record !== undefined);
}

function sliceOf(blocks: readonly Block[], from: number, to: number): readonly StoredRecord[] {
  const found: StoredRecord[] = [];
  let before = 0;
  for (const block of blocks) {
    if (before >= to) break;
    if (before + block.live > from) {
      const live = liveOf(block);
      found.push(...live.slice(Math.max(0, from - before), to - before));
    }
    before += block.live;
  }
  return found;
}

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

function joinedList(lists: readonly RecordList[]): RecordList {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  return {
    length: lists.reduce((sum, list) => sum + list.length, 0),
    slice: (from, to) => {
      const found: StoredRecord[] = [];
      let before = 0;
      for (const list of lists) {
        found.push(...list.slice(Math.max(0, from - before), Math.max(0, to - before)));
        before += list.length;
      }
      return found;
    },
    *pieces() {
      for (const list of lists) yield* list.pieces();
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
