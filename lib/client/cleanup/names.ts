import pLimit from 'p-limit';
import { defined } from '../../defined.ts';
import { isUsableId } from '../safety/ids.ts';
import type { ListEntry } from '../safety/list-entries.ts';
import { nameIn, resourceOf } from '../safety/record-identity.ts';
import type { ErsClient, Exchange, OwnRecord } from '../types.ts';

const MISSING: ReadonlySet<number> = new Set([404, 410]);

/** Name that the answer to a read shows, under the member that the family uses for it. */
export function nameShown({ status, json }: Exchange, family: string): string | undefined {
  return nameIn(family, status === 200 ? resourceOf(json) : undefined);
}

/** Entries of a list with the names of their records, and those of which nobody can tell. */
export interface NamedEntries {
  readonly named: readonly OwnRecord[];
  readonly unknown: readonly ListEntry[];
}

/** Tells the names of list entries: as the list shows them, else by reading the records, each of them once. */
export function nameReader(client: ErsClient) {
  const known = new Map<string, Promise<string | null | undefined>>();
  const slots = pLimit(client.options.target.connections);
  const read = async (family: string, id: string): Promise<string | null | undefined> => {
    if (!isUsableId(id)) return undefined;
    const exchange = await slots(() => client.send(family, 'read', { id }));
    return MISSING.has(exchange.status) ? null : nameShown(exchange, family);
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
  return async (family: string, entries: readonly ListEntry[]): Promise<NamedEntries> => {
    const named: OwnRecord[] = [];
    const unknown: ListEntry[] = [];
    const look = async (entry: ListEntry) => {
      const name = entry.name ?? (await nameOf(family, entry.id));
      if (name === undefined) unknown.push(entry);
      else if (name !== null) named.push({ family, id: entry.id, ...defined({ name }) });
    };
    await Promise.all(entries.map(look));
    return { named, unknown };
  };
}
