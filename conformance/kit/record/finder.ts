import { hasOp } from '../../../lib/contract/types.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import { defined } from '../../../lib/defined.ts';
import { entriesOf, idOf, isSuccess, type JsonObject, recordOf, totalOf } from '../../../lib/wire/answer.ts';
import { isToldWhole, walkList } from '../../../lib/wire/list-walk.ts';
import type { Filter } from '../../../lib/wire/query.ts';
import type { CheckContext } from '../check.ts';
import { nameMember } from '../fields.ts';
import { requesterOf } from '../list/list-reader.ts';

const MOST_READS = 200;
const PAGE_SIZE = 100;
/** Characters of a name that are asked for at least: fewer may be those of many records. */
const SHORTEST = 8;

type Sender = Pick<CheckContext, 'send' | 'follow' | 'table'>;

/** A list as far as it could be read. */
interface Listing {
  readonly entries: readonly JsonObject[];
  /** True where the list was read to its end, each entry has an id, and its total does not contradict an empty list. */
  readonly isWhole: boolean;
}

/** A list, page by page; narrowed by names where the family has a filter for them. */
export async function readListing(
  context: Sender,
  family: string,
  named?: Pick<Filter, 'operator' | 'value'>,
): Promise<Listing> {
  const requester = requesterOf(context, family);
  const anySize = { anySize: true } as const;
  const narrowed = named !== undefined && context.table[family]?.filters.includes('name') === true;
  const filters = narrowed ? [{ field: 'name', ...named }] : undefined;
  const walk = await walkList(requester, { list: { ...defined({ filters }), size: PAGE_SIZE } }, anySize);
  // Refused for its filter: asked for without.
  const isRefused = narrowed && walk.refused !== undefined && walk.pages.length === 0;
  const { pages, refused, cut } = isRefused ? await walkList(requester, { list: { size: PAGE_SIZE } }, anySize) : walk;
  const entries = pages.flatMap(({ exchange }) => entriesOf(exchange) ?? []);
  const total = pages[0] === undefined ? 0 : (totalOf(pages[0].exchange) ?? 0);
  const isRead = refused === undefined && cut === undefined && pages.every(isToldWhole);
  return { entries, isWhole: isRead && !(entries.length === 0 && total > 0) };
}

/** Every entry of a list; narrowed to a name where the family has a filter for it. */
export async function listEntries(context: Sender, family: string, named?: string): Promise<readonly JsonObject[]> {
  return (await readListing(context, family, named === undefined ? undefined : { operator: 'EQ', value: named }))
    .entries;
}

/** What a look for a name found. */
interface Found {
  readonly ids: readonly string[];
  /** True where the answers tell of all records of the name, and so also that there is none. */
  readonly isAll: boolean;
}

async function lookByName(context: Sender, family: string, wanted: string): Promise<Found> {
  const shape = context.table[family];
  if (shape === undefined) return { ids: [], isAll: true };
  const members = [...new Set([nameMember(shape), memberOf(family, 'name'), 'name'])].filter(
    (member) => member !== undefined,
  );
  const nameOf = (record: JsonObject) =>
    members.map((member) => record[member]).find((held) => typeof held === 'string');
  let reads = 0;
  const among = async ({ entries, isWhole }: Listing): Promise<Found> => {
    const ids = new Set<string>();
    let unread = 0;
    for (const entry of entries) {
      const id = idOf(entry);
      if (id === undefined) continue;
      let name = nameOf(entry);
      if (name === undefined && hasOp(shape, 'read') && reads < MOST_READS) {
        reads += 1;
        const read = await context.send('read', { id }, family);
        name = isSuccess(read) ? nameOf(recordOf(read) ?? {}) : undefined;
      }
      if (name === undefined) unread += 1;
      if (name === wanted) ids.add(id);
    }
    return { ids: [...ids], isAll: isWhole && unread === 0 };
  };
  const found = await among(await readListing(context, family, { operator: 'EQ', value: wanted }));
  const [beginning = ''] = /^[A-Za-z0-9]*/.exec(wanted) ?? [];
  // What the filter leaves out, because of a sign in the name or because it is wrong, another one may show.
  const isOther = beginning.length >= SHORTEST && beginning !== wanted;
  if (found.ids.length > 0 || !isOther || !shape.filters.includes('name')) return found;
  const more = await among(await readListing(context, family, { operator: 'STARTSW', value: beginning }));
  return { ids: more.ids, isAll: found.isAll && more.isAll };
}

/**
 * Ids of the records that bear exactly this name, found by listing. Entries without a name are read.
 * The answer of the filter is not trusted: each entry is looked at.
 */
export async function findByName(context: Sender, family: string, wanted: string): Promise<readonly string[]> {
  return (await lookByName(context, family, wanted)).ids;
}

/**
 * Ids of what a create left that was not to store anything, and the id that its answer gave: all of them go into the clean-up.
 * The name is off the books only where the answers tell that there is no such record.
 */
export async function takeUp(
  context: Sender & Pick<CheckContext, 'ledger'>,
  family: string,
  name: string,
  given?: string,
): Promise<readonly string[]> {
  const { ids, isAll } = await lookByName(context, family, name);
  const mine = ids.filter((id) => context.ledger.adopt(family, id, name));
  if (given !== undefined) context.ledger.adopt(family, given, name);
  const all = [...new Set([...mine, ...(given === undefined ? [] : [given])])];
  if (all.length === 0 && isAll) context.ledger.dismiss(family, name);
  return all;
}
