import type { ListItem } from '../../wire/list-walk.ts';

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
