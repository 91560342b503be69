import { totalOf } from '../../wire/answer.ts';
import { type ListItem, pageOf, walkList as walkPages } from '../../wire/list-walk.ts';
import type { ListQuery } from '../../wire/query.ts';
import type { ErsClient, Exchange } from '../types.ts';

/** An entry of a list, with what is known of it. */
export interface ListEntry {
  readonly id: string;
  readonly name?: string;
}

/** What a walk over the pages of a list saw. */
export interface ListWalk {
  readonly entries: readonly ListEntry[];
  /** As the first page says; null where it does not. */
  readonly total: number | null;
  /** True where the last page was reached. */
  readonly complete: boolean;
  /** Status of the last answer. */
  readonly status: number;
}

const entryOf = ({ id, record }: ListItem): ListEntry => ({
  id,
  ...(typeof record['name'] === 'string' ? { name: record['name'] } : {}),
});

/** Total, entries and next link of a list answer; null where it is no list envelope. */
export function listPage(exchange: Exchange) {
  const page = pageOf(exchange);
  if (page === undefined) return null;
  return { entries: page.items.map(entryOf), total: totalOf(exchange) ?? null, href: page.next ?? null };
}

/** Reads a list page by page, at most `maxPages` pages. A page that is no list, or links to itself, ends the walk. */
export async function walkList(
  client: ErsClient,
  family: string,
  list: ListQuery,
  maxPages: number,
): Promise<ListWalk> {
  const walk = await walkPages(
    { list: (input) => client.send(family, 'list', input), follow: (href) => client.follow(family, href) },
    { list },
    maxPages,
  );
  const [first] = walk.exchanges;
  const last = walk.exchanges.at(-1);
  return {
    entries: walk.items.map(entryOf),
    total: (first === undefined ? undefined : totalOf(first)) ?? null,
    complete: walk.refused === undefined && walk.cut === undefined && last?.cut !== true,
    status: last?.status ?? 0,
  };
}
