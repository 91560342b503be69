import { findByName as find, type Reader } from '../../../lib/client/cleanup/find-by-name.ts';
import { type Removal, type Remover, remove, removePlain } from '../../../lib/client/cleanup/remove.ts';
import type { Exchange, OwnRecord } from '../../../lib/client/types.ts';
import { defined } from '../../../lib/defined.ts';
import { entriesOf, type JsonObject, totalOf } from '../../../lib/wire/answer.ts';
import { isToldWhole, type ListRequester, type ListPage as PageOf, walkList } from '../../../lib/wire/list-walk.ts';
import type { Filter } from '../../../lib/wire/query.ts';
import type { CheckContext, SharedScope } from '../check.ts';

/** Records that a page of a whole list is asked for. */
const PAGE_SIZE = 100;

type Sender = Pick<CheckContext, 'send' | 'follow' | 'table'>;

/** True for the id of no record of the run, removed ones among them. */
export const isOfOthers = ({ ledger }: Pick<CheckContext, 'ledger'>, family: string, id: string): boolean =>
  (ledger.standing(family, id) ?? 'foreign') === 'foreign';

/** A list, page by page; narrowed to a name where the family has a filter for it. */
export async function readListing(context: Sender, family: string, name?: string) {
  const walk = (filters?: readonly Filter[]) => {
    const list = { ...defined({ filters }), size: PAGE_SIZE };
    return walkList(requesterOf(context, family), { list }, { anySize: true });
  };
  const isNamed = name !== undefined && context.table[family]?.filters.includes('name') === true;
  const first = await walk(isNamed ? [{ field: 'name', operator: 'EQ', value: name }] : undefined);
  // Refused for its filter: asked for without.
  const isRefused = isNamed && first.refused !== undefined && first.pages.length === 0;
  const { pages, refused, cut } = isRefused ? await walk() : first;
  const entries = pages.flatMap(({ exchange }) => entriesOf(exchange) ?? []);
  const total = pages[0] === undefined ? 0 : (totalOf(pages[0].exchange) ?? 0);
  const isRead = refused === undefined && cut === undefined && pages.every(isToldWhole);
  // Whole if it was read to its end, each entry has an id, and its total does not contradict an empty list.
  return { entries, isWhole: isRead && !(entries.length === 0 && total > 0) };
}

export const listEntries = async (context: Sender, family: string, name?: string): Promise<readonly JsonObject[]> =>
  (await readListing(context, family, name)).entries;

const readerOf = ({ send, follow, table }: Sender): Reader => ({
  send: (family, op, input) => send(op, input, family),
  follow: (family, href, headers) => follow(href, family, headers),
  options: { table },
});

type Removing = Partial<Pick<Remover, 'send'> & Pick<CheckContext, 'eventually'> & { readonly isPlain: boolean }>;

/** Removes a record of the run (`isPlain`: with plain texts, if its delete was refused) and looks whether it is gone, by the requests of a check, which `by` may send otherwise. */
export const removeOwn = (
  context: Sender & Pick<CheckContext, 'ledger'>,
  record: OwnRecord,
  { eventually, isPlain, ...by }: Removing = {},
): Promise<Removal> => {
  const client = { ...context.ledger, ...readerOf(context), ...by };
  return isPlain === true ? removePlain(client, record) : remove(client, record, eventually);
};

/** Ids of the records that bear exactly this name, as far as lists tell. */
export const findByName = async (context: Sender, family: string, wanted: string): Promise<readonly string[]> =>
  (await find(readerOf(context), family, wanted)).ids;

/** Ids of what a create left that had to store nothing: they go into the clean-up, which looks for the name again if there are none. */
export const takeUp = async (context: Sender & Pick<CheckContext, 'ledger'>, family: string, name: string) =>
  (await findByName(context, family, name)).filter((id) => context.ledger.adopt({ family, id, name }));

export type ListPage = PageOf<Exchange>;
export type Requester = ListRequester<Exchange>;

export const requesterOf = ({ send, follow }: Pick<SharedScope, 'send' | 'follow'>, on?: string): Requester => ({
  list: (input) => send('list', input, on),
  follow: (href, headers) => follow(href, on, headers),
});

/** Walks the whole list by large pages, or by such as the target takes; `on` names another family than the check's own. */
export const walkWhole = (context: Pick<SharedScope, 'send' | 'follow'>, on?: string, pages?: number) =>
  walkList(requesterOf(context, on), { list: { size: PAGE_SIZE } }, { anySize: true, ...defined({ pages }) });
