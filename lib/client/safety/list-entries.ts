import { entriesOf, idOf, type JsonObject } from '../../wire/answer.ts';

export interface ListEntry {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
}

export function entryOf({ id, record }: { readonly id: string; readonly record: JsonObject }): ListEntry {
  const texts = (['name', 'description'] as const).flatMap((member) => {
    const text = record[member];
    return typeof text === 'string' ? [[member, text] as const] : [];
  });
  return { id, ...Object.fromEntries(texts) };
}

/** Entries of a list envelope that have an id, with the texts they show; null where the JSON is no list envelope. */
export function listEntries(json: unknown): readonly ListEntry[] | null {
  const entries = entriesOf({ json });
  if (entries === undefined) return null;
  return entries.flatMap((item): ListEntry[] => {
    const id = idOf(item);
    return id === undefined ? [] : [entryOf({ id, record: item })];
  });
}
