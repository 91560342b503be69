import pLimit from 'p-limit';
import { defined } from '../../defined.ts';
import { isSuccess } from '../../wire/answer.ts';
import type { Filter } from '../../wire/query.ts';
import { readEntries } from '../http/read-entries.ts';
import { isUsableId, type ListEntry, nameIn, resourceOf } from '../safety/record-identity.ts';
import { denies } from '../safety/registry.ts';
import type { ClientOptions, ErsClient, Exchange, OwnRecord } from '../types.ts';

/** Reads under way at one time; the connections of the client bound them further. */
const AT_ONCE = 10;

/** Name that the answer to a read shows, under the member that the family uses for it. */
export const nameShown = ({ status, json }: Exchange, family: string): string | undefined =>
  nameIn(family, isSuccess({ status }) ? resourceOf(json) : undefined);

export type Names = ReturnType<typeof nameReader>;

/** Names as the list shows them, else by reading the records, each of them once, and at most so many for one list. */
export function nameReader(client: Pick<ErsClient, 'send'>, most = Number.POSITIVE_INFINITY) {
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
    const forget = (told?: string | null) => told === undefined && known.delete(key);
    name.then(forget, () => forget());
    return name;
  };
  return async (family: string, entries: readonly ListEntry[]) => {
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

/** Pages that one walk of a clean-up reads at most. */
export const MAX_PAGES = 1000;
/** Records without a name in their list that are read at most for one look, to learn the names. */
export const MOST_READ = 500;
/** Records that are read at most because their list may show a part of their name, or a text around it. */
const MOST_CUT = 50;
const isPartOf = (text: string, name: string): boolean => {
  const part = text.replace(/(?:…|\.{3})$/, '');
  return text !== name && (text.includes(name) || (part.length >= 8 && name.startsWith(part)));
};
/** What a second filter asks for: fewer letters may begin the names of many records, and more would leave out what changed a name. */
const BEGINNING = /^[A-Za-z0-9]{8,11}/;

export type Reader = Pick<ErsClient, 'send' | 'follow'> & { readonly options: Pick<ClientOptions, 'table'> };

/** Reads the list of a family, or the part of it that a filter for names leaves, with the names of its records. */
export async function readNames(
  reader: Reader,
  names: Names,
  family: string,
  filter?: Pick<Filter, 'operator' | 'value'>,
) {
  const filters = filter === undefined ? [] : [{ field: 'name', ...filter }];
  const walk = await readEntries(reader, family, { size: 100, filters }, MAX_PAGES);
  const told = await names(family, walk.entries);
  return { ...walk, ...told, isWhole: walk.complete && told.unknown.length === 0 };
}

/**
 * Finds records by their name: by a filter for the name, by one for its beginning, or in the whole list if
 * neither is taken. An empty answer of a filter is believed only if the filter also finds what is there:
 * another record of that beginning, or `twin`, the name of a record that the list shows. `isNone`: such an
 * answer shows that no record bears the name. Without `sure`, a name of letters and digits is asked for once.
 */
export async function findByName(
  reader: Reader,
  family: string,
  name: string,
  sure?: { readonly names: Names; readonly twin: string | undefined },
): Promise<{ readonly ids: readonly string[]; readonly isNone: boolean }> {
  const { names, twin } = sure ?? { names: nameReader(reader, MOST_READ) };
  const equal = (value: string) => ({ operator: 'EQ', value }) as const;
  const idsOf = ({ named }: Awaited<ReturnType<Names>>, wanted: string) =>
    named.flatMap((record) => (record.name === wanted ? [record.id] : []));
  const idsIn = async (shown: Awaited<ReturnType<Names>>) => {
    const ids = idsOf(shown, name);
    const mayBe = ids.length > 0 ? [] : shown.named.filter((record) => isPartOf(record.name ?? '', name));
    const cut = mayBe.slice(0, MOST_CUT).map(({ id }) => ({ id }));
    return [...ids, ...idsOf(await names(family, cut), name)];
  };
  // A sign in a name may be what a filter takes amiss.
  const isPlain = /^[A-Za-z0-9]*$/.test(name);
  const [beginning] = (isPlain && sure === undefined ? undefined : BEGINNING.exec(name)) ?? [];
  const begins = beginning === undefined ? [] : [{ operator: 'STARTSW', value: beginning } as const];
  const hasFilter = reader.options.table[family]?.filters.includes('name') === true;
  let isTaken = false;
  let isDenied = isPlain || beginning !== undefined;
  let finds = false;
  for (const filter of hasFilter ? [equal(name), ...begins] : []) {
    const shown = await readNames(reader, names, family, filter);
    const ids = await idsIn(shown);
    if (ids.length > 0) return { ids, isNone: false };
    isTaken ||= isSuccess(shown);
    isDenied &&= shown.isWhole;
    finds ||= shown.named.some((record) => record.name?.startsWith(beginning ?? name));
  }
  if (!isTaken) {
    const shown = await readNames(reader, names, family);
    const ids = await idsIn(shown);
    return { ids, isNone: shown.isWhole && ids.length === 0 };
  }
  if (isDenied && !finds && twin !== undefined)
    finds = idsOf(await readNames(reader, names, family, equal(twin)), twin).length > 0;
  return { ids: [], isNone: isDenied && finds };
}
