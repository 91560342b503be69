import type { Exchange } from '../../../../lib/client/types.ts';
import type { Family } from '../../../../lib/contract/types.ts';
import { memberOf } from '../../../../lib/contract/vendor.ts';
import { isSuccess, recordOf } from '../../../../lib/wire/answer.ts';
import type { ListItem } from '../../../../lib/wire/list-walk.ts';
import type { SharedScope } from '../../../kit/check.ts';
import { listFields } from '../../../kit/list/seeded-records.ts';
import { kindOf, type Value, valueIn } from '../../../kit/list/value.ts';

/** A record whose values are known because it was read by itself, not because a filter found it. */
export interface KnownRecord {
  readonly id: string;
  /** By filter or sort field; fields that the record lacks are missing. */
  readonly values: Readonly<Record<string, Value>>;
  /** The record as a read gave it; the list entry where the family has no read. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** Records that the relations of a list are about. */
export interface Population {
  /** `own`: made by this run; `existing`: found on the target. */
  readonly source: 'own' | 'existing';
  readonly records: readonly KnownRecord[];
  /** Some of what the target holds could not be listed or read. */
  readonly isPartial?: boolean;
}

/** True if too few records are not a matter of what is on the target: the run made enough, or some cannot be seen. */
export const shouldSuffice = ({ source, isPartial }: Population): boolean => source === 'own' || isPartial === true;

/** A record as a read or a list entry shows it, with the values of its family's list fields. */
function knownRecord(family: Family, id: string, record: Readonly<Record<string, unknown>>): KnownRecord {
  const values: Record<string, Value> = {};
  for (const field of listFields(family)) {
    const value = valueIn(record, memberOf(family.name, field), kindOf(family, field));
    if (value !== undefined) values[field] = value;
  }
  return { id, values, record };
}

/** Reads records by id and keeps those that answer; without a read operation, a list entry is all there is to know. */
export async function readRecords(
  scope: Pick<SharedScope, 'send'>,
  family: Family,
  items: readonly ListItem[],
): Promise<readonly KnownRecord[]> {
  if (!family.ops.includes('read')) return items.map(({ id, record }) => knownRecord(family, id, record));
  const known: KnownRecord[] = [];
  for (const { id } of items) {
    const exchange: Exchange = await scope.send('read', { id }, family.name);
    const record = isSuccess(exchange) ? recordOf(exchange) : undefined;
    if (record !== undefined) known.push(knownRecord(family, id, record));
  }
  return known;
}

/** At most this many existing records are read to learn their values. */
export const SAMPLE = 20;

/** Entries spread evenly over a list. */
export function spread<T>(entries: readonly T[], count = SAMPLE): readonly T[] {
  if (entries.length <= count) return entries;
  return Array.from({ length: count }, (_, index) => entries[Math.floor((index * entries.length) / count)] as T);
}

/** How a record is named in a difference: its id and, where known, its value. */
export function labelOf(population: Population, field: string): (id: string) => string {
  const byId = new Map(population.records.map((record) => [record.id, record.values[field]]));
  return (id) => {
    const value = byId.get(id);
    return value === undefined ? id : `${id} (${String(value)})`;
  };
}
