import type { FamilyTable } from '../../contract/types.ts';
import { memberOf } from '../../contract/vendor.ts';
import { isObject, type JsonObject, recordOf } from '../../wire/answer.ts';
import type { ListItem } from '../../wire/list-walk.ts';

/** The record in an answer or a body, or the object itself. */
export const resourceOf = (value: unknown): JsonObject | undefined =>
  recordOf({ json: value }) ?? (isObject(value) ? value : undefined);

/** Members that may hold the name of a record of the family. */
export const nameMembers = (family: string): readonly string[] => [...new Set([memberOf(family, 'name'), 'name'])];

/** Member in which a record can be recognized by the run's prefix where its name does not tell. */
export const MARK = 'description';

export function nameIn(family: string, record: JsonObject | undefined): string | undefined {
  const held = nameMembers(family).map((member) => record?.[member]);
  return held.find((name): name is string => typeof name === 'string');
}

/** Tells what belongs to one family (ids, names, marks) apart from that of another, as a key of maps and sets. */
export const keyIn = (family: string, text: string): string => `${family}/${text}`;

export const recordKey = ({ family, id }: { readonly family: string; readonly id: string }): string =>
  keyIn(family, id);

/** The family and, of a view, those whose records it shows. */
export const homesOf = (table: FamilyTable, family: string): readonly string[] => [
  family,
  ...(table[family]?.viewOf ?? []),
];

export interface ListEntry {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
}

/** An item of a list with the texts that tell records apart. */
export function entryOf({ id, record }: ListItem): ListEntry {
  const texts = (['name', 'description'] as const).flatMap((member) => {
    const text = record[member];
    return typeof text === 'string' ? [[member, text] as const] : [];
  });
  return { id, ...Object.fromEntries(texts) };
}
