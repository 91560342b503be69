import { hasOp } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import { entriesOf, idOf, isSuccess, type JsonObject, recordOf } from '../../lib/wire/answer.ts';
import { walkList } from '../../lib/wire/list-walk.ts';
import type { CheckContext } from './check.ts';
import { nameMember } from './fields.ts';
import { requesterOf } from './list/list-reader.ts';

const MOST_READS = 200;
const PAGE_SIZE = 100;

type Sender = Pick<CheckContext, 'send' | 'follow' | 'table'>;

/** Every entry of a list, page by page; narrowed to a name where the family has a filter for it. */
export async function listEntries(context: Sender, family: string, named?: string): Promise<readonly JsonObject[]> {
  const requester = requesterOf(context, family);
  const anySize = { anySize: true } as const;
  const narrowed = named !== undefined && context.table[family]?.filters.includes('name') === true;
  const filters = narrowed ? [{ field: 'name', operator: 'EQ' as const, value: named }] : undefined;
  const walk = await walkList(requester, { list: { ...defined({ filters }), size: PAGE_SIZE } }, anySize);
  // Refused for its filter: asked for without.
  const isRefused = narrowed && walk.refused !== undefined && walk.pages.length === 0;
  const { pages } = isRefused ? await walkList(requester, { list: { size: PAGE_SIZE } }, anySize) : walk;
  return pages.flatMap(({ exchange }) => entriesOf(exchange) ?? []);
}

/**
 * Ids of the records that bear exactly this name, found by listing. Entries without a name are read.
 * The answer of the filter is not trusted: each entry is looked at.
 */
export async function findByName(context: Sender, family: string, wanted: string): Promise<readonly string[]> {
  const shape = context.table[family];
  if (shape === undefined) return [];
  const members = [...new Set([nameMember(shape), memberOf(family, 'name'), 'name'])].filter(
    (member) => member !== undefined,
  );
  const nameOf = (record: JsonObject) =>
    members.map((member) => record[member]).find((held) => typeof held === 'string');
  const ids = new Set<string>();
  let reads = 0;
  for (const entry of await listEntries(context, family, wanted)) {
    const id = idOf(entry);
    if (id === undefined) continue;
    let name = nameOf(entry);
    if (name === undefined && hasOp(shape, 'read') && reads < MOST_READS) {
      reads += 1;
      const read = await context.send('read', { id }, family);
      name = isSuccess(read) ? nameOf(recordOf(read) ?? {}) : undefined;
    }
    if (name === wanted) ids.add(id);
  }
  return [...ids];
}
