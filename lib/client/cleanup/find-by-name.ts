import { type ListedEntries, readEntries } from '../http/read-entries.ts';
import type { ListEntry } from '../safety/list-entries.ts';
import { GONE } from '../safety/registry.ts';
import type { ErsClient, OwnRecord } from '../types.ts';
import type { NamedEntries } from './names.ts';

/** Pages that one walk of a clean-up reads at most. */
export const MAX_PAGES = 1000;
/** Records without a name in their list that are read at most, to learn the names. */
const MOST_READ = 500;

/** Tells the names of list entries; see `nameReader`. */
type Names = (family: string, entries: readonly ListEntry[]) => Promise<NamedEntries>;

/** Entries that the filter for a name shows; undefined where the family has none. */
async function filtered(client: ErsClient, family: string, name: string): Promise<ListedEntries | undefined> {
  if (client.options.table[family]?.filters.includes('name') !== true) return undefined;
  const filters = [{ field: 'name', operator: 'EQ' as const, value: name }];
  return readEntries(client, family, { size: 100, filters }, MAX_PAGES);
}

/** Records of a family that have the name and that nobody else made; undefined where the target does not tell. */
export async function namedRecords(
  client: ErsClient,
  names: Names,
  family: string,
  name: string,
): Promise<readonly OwnRecord[] | undefined> {
  const held = new Set(client.owned().flatMap((own) => (own.family === family && own.name === name ? [own.id] : [])));
  const open = ({ entries }: ListedEntries) =>
    entries.filter(({ id }) => held.has(id) || client.standing(family, id) === undefined);
  const ofName = ({ named }: NamedEntries) => named.filter((record) => record.name === name);
  const shown = await filtered(client, family, name);
  if (shown?.complete === true) {
    const own = ofName(await names(family, open(shown).slice(0, MOST_READ)));
    if (own.length > 0 || shown.entries.length === 0) return own;
  }
  // There is no filter, it fails, or it shows what is not ours under our name: the whole list is looked at.
  const walk = await readEntries(client, family, { size: 100 }, MAX_PAGES);
  // A family that has no list is not served: nothing can be in it.
  if (walk.entries.length === 0 && GONE.has(walk.status)) return [];
  const entries = open(walk);
  if (!walk.complete || entries.filter((entry) => entry.name === undefined).length > MOST_READ) return undefined;
  const told = await names(family, entries);
  const own = ofName(told);
  if (own.length > 0) return own;
  // A new record that the filter takes for ours, that shows our name with more around it, or no name at all, may be it.
  const holdsName = told.named.filter((record) => record.name?.toLowerCase().includes(name.trim().toLowerCase()));
  const doubtful = [...(shown === undefined ? [] : open(shown)), ...told.unknown, ...holdsName];
  return doubtful.some(({ id }) => client.mayBeNew(family, id, name)) ? undefined : [];
}
