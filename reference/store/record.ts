import { vendorFacts } from '../../lib/contract/vendor.ts';
import type { Fields } from '../seams.ts';

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

export function joinedList(lists: readonly RecordList[]): RecordList {
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
