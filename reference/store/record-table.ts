import type { StoredRecord } from './record.ts';

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
export type RecordTable = ReturnType<typeof recordTable>;

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
