import { isSuccess, nextHref, totalOf } from '../../wire/answer.ts';
import type { ListQuery } from '../../wire/query.ts';
import { type ListEntry, listEntries } from '../safety/list-entries.ts';
import type { ErsClient, Exchange } from '../types.ts';

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

/** Entries and characters of bodies that one walk takes in; a list beyond them counts as one without an end. */
const MOST_ENTRIES = 250_000;
const MOST_CHARACTERS = 96 * 1024 * 1024;

/** Refused for what was asked, and not for who asked. */
const isRefused = ({ status }: Exchange): boolean => status >= 400 && status < 500 && status !== 401 && status !== 403;

/** Total, entries and next link of a list answer; null where it is no list envelope. */
export function listPage(exchange: Exchange) {
  const entries = isSuccess(exchange) ? listEntries(exchange.json) : null;
  if (entries === null) return null;
  return { entries, total: totalOf(exchange) ?? null, href: nextHref(exchange) ?? null };
}

/**
 * Reads a list page by page, at most `maxPages` pages, and keeps no page longer than it takes to read it. A page that is
 * no list, a link that comes twice, and a list beyond the bounds end the walk before its end. Where the target refuses the
 * page size, which the specification leaves open, it is asked for pages of its own size.
 */
export async function walkList(
  client: ErsClient,
  family: string,
  list: ListQuery,
  maxPages: number,
): Promise<ListWalk> {
  const entries: ListEntry[] = [];
  const seen = new Set<string>();
  let characters = 0;
  let exchange = await client.send(family, 'list', { list });
  const { size, ...unsized } = list;
  if (size !== undefined && isRefused(exchange)) exchange = await client.send(family, 'list', { list: unsized });
  let total: number | null = null;
  for (let pages = 1; ; pages += 1) {
    const page = listPage(exchange);
    const ends = (complete: boolean) => ({ entries, total, complete, status: exchange.status });
    if (page === null) return ends(false);
    if (pages === 1) total = page.total;
    for (const entry of page.entries) entries.push(entry);
    characters += exchange.body.length;
    if (page.href === null) return ends(exchange.cut !== true);
    const isTooLong = pages >= maxPages || entries.length > MOST_ENTRIES || characters > MOST_CHARACTERS;
    if (seen.has(page.href) || isTooLong) return ends(false);
    seen.add(page.href);
    exchange = await client.follow(family, page.href);
  }
}
