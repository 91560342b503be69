import type { Exchange } from '../../../lib/client/types.ts';
import { LIST_ENVELOPE } from '../../../lib/contract/list.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import type { SharedScope } from '../check.ts';
import { isObject } from './value.ts';

/** One entry of a list answer, as the target gave it. */
export interface ListItem {
  readonly id: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** One page of a list. */
export interface ListPage {
  readonly items: readonly ListItem[];
  /** Address of the next page; undefined where the answer names none. */
  readonly next: string | undefined;
  readonly exchange: Exchange;
}

/** A list read to its end. */
export interface ListResult {
  readonly pages: readonly ListPage[];
  readonly items: readonly ListItem[];
  readonly ids: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** The answer that was not a list, where one was not. */
  readonly refused?: Exchange;
  /** Why the walk ended before the list did. */
  readonly cut?: 'loop' | 'length';
}

/** Sends and follows, without judging. */
export interface Requester {
  readonly list: (input: RequestInput) => Promise<Exchange>;
  readonly follow: (href: string) => Promise<Exchange>;
}

/** A requester that sends as a check does; `on` names another family than the check's own. */
export function requesterOf({ send, follow }: Pick<SharedScope, 'send' | 'follow'>, on?: string): Requester {
  return { list: (input) => send('list', input, on), follow: (href) => follow(href, on) };
}

/** Pages that one walk reads at most: a guard against a target that never ends. */
export const WALK_LIMIT = 60;

export const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300;

function itemOf(entry: unknown): ListItem[] {
  if (!isObject(entry)) return [];
  const { id } = entry;
  return typeof id === 'string' || typeof id === 'number' ? [{ id: String(id), record: entry }] : [];
}

/** A list answer as a page; undefined where it is not the envelope of section "List query parameters". */
export function pageOf(exchange: Exchange): ListPage | undefined {
  const result = isObject(exchange.json) ? exchange.json[LIST_ENVELOPE.root] : undefined;
  if (!isSuccess(exchange) || !isObject(result)) return undefined;
  const entries = result[LIST_ENVELOPE.items];
  if (!Array.isArray(entries)) return undefined;
  const link = result[LIST_ENVELOPE.next];
  const href = isObject(link) ? link[LIST_ENVELOPE.href] : undefined;
  return { items: entries.flatMap(itemOf), next: typeof href === 'string' && href !== '' ? href : undefined, exchange };
}

/** Result of pages read in order. */
export function resultOf(pages: readonly ListPage[], end: Pick<ListResult, 'refused' | 'cut'> = {}): ListResult {
  const items = pages.flatMap((page) => page.items);
  const exchanges = [...pages.map(({ exchange }) => exchange), ...(end.refused ? [end.refused] : [])];
  return { pages, items, ids: items.map(({ id }) => id), exchanges, ...end };
}

/** Reads a list by following nextPage.href until there is none, an address comes twice or the limit is reached. */
export async function walk(requester: Requester, input: RequestInput, limit = WALK_LIMIT): Promise<ListResult> {
  const pages: ListPage[] = [];
  const seen = new Set<string>();
  let exchange = await requester.list(input);
  for (;;) {
    const page = pageOf(exchange);
    if (page === undefined) return resultOf(pages, { refused: exchange });
    pages.push(page);
    if (page.next === undefined) return resultOf(pages);
    if (seen.has(page.next)) return resultOf(pages, { cut: 'loop' });
    if (pages.length >= limit) return resultOf(pages, { cut: 'length' });
    seen.add(page.next);
    exchange = await requester.follow(page.next);
  }
}

/** A reader that asks each question once: same query, same answer, one request. */
export function memoized(requester: Requester, limit = WALK_LIMIT): (input: RequestInput) => Promise<ListResult> {
  const answers = new Map<string, Promise<ListResult>>();
  return (input) => {
    const key = JSON.stringify(input);
    const known = answers.get(key) ?? walk(requester, input, limit);
    answers.set(key, known);
    return known;
  };
}
