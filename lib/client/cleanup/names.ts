import pLimit from 'p-limit';
import { defined } from '../../defined.ts';
import { isUsableId } from '../safety/ids.ts';
import type { ListEntry } from '../safety/list-entries.ts';
import { nameIn, resourceOf } from '../safety/record-identity.ts';
import { denies } from '../safety/registry.ts';
import type { ErsClient, Exchange, OwnRecord } from '../types.ts';

/** Reads under way at one time; the connections of the client bound them further. */
const AT_ONCE = 10;

/** Name that the answer to a read shows, under the member that the family uses for it. */
export function nameShown({ status, json }: Exchange, family: string): string | undefined {
  return nameIn(family, status === 200 ? resourceOf(json) : undefined);
}

/** Entries of a list with the names of their records, and those of which nobody can tell. */
export interface NamedEntries {
  readonly named: readonly OwnRecord[];
  readonly unknown: readonly ListEntry[];
}

/** Tells the names of list entries. */
export type Names = (family: string, entries: readonly ListEntry[]) => Promise<NamedEntries>;

/** Names as the list shows them, else by reading the records, each of them once, and at most so many for one list. */
export function nameReader(client: Pick<ErsClient, 'send'>, most = Number.POSITIVE_INFINITY): Names {
  const known = new Map<string, Promise<string | null | undefined>>();
  const slots = pLimit(AT_ONCE);
  const read = async (family: string, id: string): Promise<string | null | undefined> => {
    if (!isUsableId(id)) return undefined;
    const exchange = await slots(() => client.send(family, 'read', { id }));
    return denies(exchange, id) ? null : nameShown(exchange, family);
  };
  /** Null: there is no such record any more. */
  const nameOf = async (family: string, id: string) => {
    const key = `${family} ${id}`;
    const name = known.get(key) ?? read(family, id);
    known.set(key, name);
    // What could not be decided is asked again by the next caller.
    name.then(
      (told) => told === undefined && known.delete(key),
      () => known.delete(key),
    );
    return name;
  };
  return async (family, entries) => {
    const named: OwnRecord[] = [];
    const unknown: ListEntry[] = [];
    let left = most;
    const look = async (entry: ListEntry) => {
      const isRead = entry.name === undefined && left-- > 0;
      const name = isRead ? await nameOf(family, entry.id) : entry.name;
      if (name === undefined) unknown.push(entry);
      else if (name !== null) named.push({ family, id: entry.id, ...defined({ name }) });
    };
    await Promise.all(entries.map(look));
    return { named, unknown };
  };
}
