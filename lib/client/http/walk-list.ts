import { LIST_ENVELOPE } from '../../contract/list.ts';
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

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Total, entries and next link of a list answer; null where it is no list envelope. */
export function listPage(exchange: Exchange) {
  const root = isObject(exchange.json) ? exchange.json[LIST_ENVELOPE.root] : undefined;
  if (exchange.status !== 200 || !isObject(root)) return null;
  const items = root[LIST_ENVELOPE.items];
  const next = root[LIST_ENVELOPE.next];
  const href = isObject(next) ? next[LIST_ENVELOPE.href] : undefined;
  const entries = (Array.isArray(items) ? items : []).flatMap((item: unknown): ListEntry[] => {
    if (!isObject(item) || typeof item['id'] !== 'string') return [];
    return [{ id: item['id'], ...(typeof item['name'] === 'string' ? { name: item['name'] } : {}) }];
  });
  const total = typeof root['total'] === 'number' ? root['total'] : null;
  return { entries, total, href: typeof href === 'string' ? href : null };
}

/** Walks a list by `nextPage.href`, at most `maxPages` pages. A page that is no list, or links to itself, ends the walk. */
export async function walkList(
  client: ErsClient,
  family: string,
  list: ListQuery,
  maxPages: number,
): Promise<ListWalk> {
  const entries: ListEntry[] = [];
  const seen = new Set<string>();
  let exchange = await client.send(family, 'list', { list });
  let total: number | null = null;
  for (let pages = 1; ; pages += 1) {
    const page = listPage(exchange);
    if (page === null) return { entries, total, complete: false, status: exchange.status };
    if (pages === 1) total = page.total;
    entries.push(...page.entries);
    if (page.href === null) return { entries, total, complete: !exchange.cut, status: exchange.status };
    if (seen.has(page.href) || pages >= maxPages) return { entries, total, complete: false, status: exchange.status };
    seen.add(page.href);
    exchange = await client.follow(family, page.href);
  }
}
