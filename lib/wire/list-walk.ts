import { type Answer, entriesOf, idOf, isSuccess, type JsonObject, nextHref } from './answer.ts';
import type { RequestInput } from './request.ts';

/** One entry of a list answer, as the target gave it. */
export interface ListItem {
  readonly id: string;
  readonly record: JsonObject;
}

/** One page of a list. */
export interface ListPage<E extends Answer = Answer> {
  readonly items: readonly ListItem[];
  /** Address of the next page; undefined where the answer names none. */
  readonly next: string | undefined;
  readonly exchange: E;
}

/** A list that was read page by page. */
export interface ListWalk<E extends Answer = Answer> {
  readonly pages: readonly ListPage<E>[];
  readonly items: readonly ListItem[];
  readonly ids: readonly string[];
  readonly exchanges: readonly E[];
  /** The answer that was not a list, where one was not. */
  readonly refused?: E;
  /** Why the walk ended before the list did. */
  readonly cut?: 'loop' | 'length';
}

/** Sends list requests and follows addresses, without judging. */
export interface ListRequester<E extends Answer = Answer> {
  readonly list: (input: RequestInput) => Promise<E>;
  readonly follow: (href: string) => Promise<E>;
}

/** Pages that one walk reads at most: a guard against a list without an end. */
export const WALK_LIMIT = 60;

/** Characters of pages that one walk keeps at most: sixty pages of real entries have two million. */
const WALK_CHARACTERS = 16 * 1024 * 1024;

/** A list answer as a page; undefined where it is not the envelope of section "List query parameters". */
export function pageOf<E extends Answer>(exchange: E): ListPage<E> | undefined {
  const entries = isSuccess(exchange) ? entriesOf(exchange) : undefined;
  if (entries === undefined) return undefined;
  const items = entries.flatMap((record) => {
    const id = idOf(record);
    return id === undefined ? [] : [{ id, record }];
  });
  return { items, next: nextHref(exchange), exchange };
}

/** Result of pages read in order. */
export function walkOf<E extends Answer>(
  pages: readonly ListPage<E>[],
  end: Pick<ListWalk<E>, 'refused' | 'cut'> = {},
): ListWalk<E> {
  const items = pages.flatMap((page) => page.items);
  const exchanges = [...pages.map(({ exchange }) => exchange), ...(end.refused ? [end.refused] : [])];
  return { pages, items, ids: items.map(({ id }) => id), exchanges, ...end };
}

/** Reads a list by following nextPage.href until there is none, an address comes twice or the limit is reached. */
export async function walkList<E extends Answer>(
  requester: ListRequester<E>,
  input: RequestInput,
  limit = WALK_LIMIT,
): Promise<ListWalk<E>> {
  const pages: ListPage<E>[] = [];
  const seen = new Set<string>();
  let characters = 0;
  let exchange = await requester.list(input);
  for (;;) {
    const page = pageOf(exchange);
    if (page === undefined) return walkOf(pages, { refused: exchange });
    pages.push(page);
    characters += exchange.body?.length ?? 0;
    if (page.next === undefined) return walkOf(pages);
    if (seen.has(page.next)) return walkOf(pages, { cut: 'loop' });
    if (pages.length >= limit || characters > WALK_CHARACTERS) return walkOf(pages, { cut: 'length' });
    seen.add(page.next);
    exchange = await requester.follow(page.next);
  }
}
