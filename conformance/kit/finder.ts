import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { entriesOf, idOf, isSuccess, type JsonObject, nextHref, recordOf } from './answer.ts';
import type { CheckContext } from './check.ts';
import { nameMember } from './fields.ts';

/** Lists are read no further than this, so that a list without an end does not hold the run. */
const MOST_PAGES = 60;
const MOST_READS = 200;
const PAGE_SIZE = 100;

type Sender = Pick<CheckContext, 'send' | 'follow' | 'table'>;

/** Every entry of a list, page by page along `nextPage.href`; narrowed to a name where the family has a filter for it. */
export async function walkList(context: Sender, family: string, named?: string): Promise<readonly JsonObject[]> {
  const filters = context.table[family]?.filters ?? [];
  const narrowed = named !== undefined && filters.includes('name');
  const filter = narrowed ? { filters: [{ field: 'name', operator: 'EQ' as const, value: named }] } : {};
  let page: Exchange = await context.send('list', { list: { ...filter, size: PAGE_SIZE } }, family);
  if (!isSuccess(page) && !narrowed) page = await context.send('list', {}, family);
  const found: JsonObject[] = [];
  const seen = new Set<string>();
  for (let count = 0; count < MOST_PAGES && isSuccess(page); count += 1) {
    found.push(...(entriesOf(page) ?? []));
    const href = nextHref(page);
    if (href === undefined || seen.has(href)) break;
    seen.add(href);
    page = await context.follow(href, family);
  }
  return found;
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
  for (const entry of await walkList(context, family, wanted)) {
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
