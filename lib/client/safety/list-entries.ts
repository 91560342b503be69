import { entriesOf, idOf } from '../../wire/answer.ts';

/** An entry of a list, with what is known of it. */
export interface ListEntry {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
}

/** Entries of a list envelope that have an id, with the texts they show; null where the JSON is no list envelope. */
export function listEntries(json: unknown): readonly ListEntry[] | null {
  const entries = entriesOf({ json });
  if (entries === undefined) return null;
  return entries.flatMap((item): ListEntry[] => {
    const id = idOf(item);
    if (id === undefined) return [];
    const texts = (['name', 'description'] as const).flatMap((member) => {
      const text = item[member];
      return typeof text === 'string' ? [[member, text] as const] : [];
    });
    return [{ id, ...Object.fromEntries(texts) }];
  });
}
