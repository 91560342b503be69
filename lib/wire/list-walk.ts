import { type Answer, entriesOf, idOf, isSuccess, itemCount, type JsonObject, LONGEST, nextHref } from './answer.ts';
import type { RequestInput } from './request.ts';

export interface ListItem {
  readonly id: string;
  readonly record: JsonObject;
}

export interface ListPage<E extends Answer = Answer> {
  readonly items: readonly ListItem[];
  /** Address of the next page; undefined if the answer names none. */
  readonly next: string | undefined;
  readonly exchange: E;
}

export interface ListWalk<E extends Answer = Answer> {
  readonly pages: readonly ListPage<E>[];
  readonly items: readonly ListItem[];
  readonly ids: readonly string[];
  readonly exchanges: readonly E[];
  readonly refused?: E;
  /** Why the walk ended before the list did. */
  readonly cut?: 'loop' | 'length';
}

/** Sends list requests and follows addresses, without judging. */
export interface ListRequester<E extends Answer = Answer> {
  readonly list: (input: RequestInput) => Promise<E>;
  /** `headers` are those of the first request: what it asked for holds for every page. */
  readonly follow: (href: string, headers?: RequestInput['headers']) => Promise<E>;
}

/** How far one walk goes, and what it may change of its first request. */
export interface WalkBounds {
  readonly pages?: number;
  readonly characters?: number;
  /** If the target refuses the page size, ask for pages of its own size: the specification leaves the largest size open. */
  readonly anySize?: boolean;
}

/** True if every item of a page has an id that a request could name: an item without one may be any record. */
export const isToldWhole = ({ items, exchange }: ListPage): boolean => itemCount(exchange) === items.length;

/** How a walk ended: at the last page, at an answer that is no list, or before the list did. */
export type WalkEnd<E extends Answer = Answer> = Pick<ListWalk<E>, 'refused' | 'cut'>;

/** Pages that one walk reads at most: a guard against a list without an end. */
const WALK_LIMIT = 60;

/** Characters of pages that one walk keeps at most: sixty pages of real entries have two million. */
const WALK_CHARACTERS = 4 * 1024 * 1024;

/** A list answer as a page; undefined if it is not the envelope of section "List query parameters". */
export function pageOf<E extends Answer>(exchange: E): ListPage<E> | undefined {
  const entries = isSuccess(exchange) ? entriesOf(exchange) : undefined;
  if (entries === undefined) return undefined;
  const items = entries.flatMap((record) => {
    const id = idOf(record);
    return id === undefined ? [] : [{ id, record }];
  });
  return { items, next: nextHref(exchange), exchange };
}

export function walkOf<E extends Answer>(pages: readonly ListPage<E>[], end: WalkEnd<E> = {}): ListWalk<E> {
  const items = pages.flatMap((page) => page.items);
  const exchanges = [...pages.map(({ exchange }) => exchange), ...(end.refused ? [end.refused] : [])];
  return { pages, items, ids: items.map(({ id }) => id), exchanges, ...end };
}

/** Refused for what was asked, and not for who asked. */
const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500 && status !== 401 && status !== 403;

async function firstPage<E extends Answer>(
  { list }: ListRequester<E>,
  input: RequestInput,
  anySize: boolean,
): Promise<E> {
  const exchange = await list(input);
  const { size, ...unsized } = input.list ?? {};
  return anySize && size !== undefined && isRefused(exchange) ? list({ ...input, list: unsized }) : exchange;
}

/** Follows nextPage.href to its end, an answer that is no list, an address that comes twice, a bound, or `take` that answers false. */
export async function eachPage<E extends Answer>(
  requester: ListRequester<E>,
  input: RequestInput,
  { pages: mostPages = WALK_LIMIT, characters: mostCharacters = WALK_CHARACTERS, anySize = false }: WalkBounds,
  take: (page: ListPage<E>) => unknown,
): Promise<WalkEnd<E>> {
  const seen = new Set<string>();
  let characters = 0;
  let exchange = await firstPage(requester, input, anySize);
  for (let pages = 1; ; pages += 1) {
    const page = pageOf(exchange);
    if (page === undefined) return { refused: exchange };
    const goesOn = (await take(page)) !== false;
    characters += exchange.body?.length ?? 0;
    if (page.next === undefined) return {};
    if (page.next.length > LONGEST) return { cut: 'length' };
    if (seen.has(page.next)) return { cut: 'loop' };
    if (!goesOn || pages >= mostPages || characters > mostCharacters) return { cut: 'length' };
    seen.add(page.next);
    exchange = await requester.follow(page.next, input.headers);
  }
}

export async function walkList<E extends Answer>(
  requester: ListRequester<E>,
  input: RequestInput,
  bounds: WalkBounds = {},
): Promise<ListWalk<E>> {
  const pages: ListPage<E>[] = [];
  const end = await eachPage(requester, input, bounds, (page) => {
    pages.push(page);
  });
  return walkOf(pages, end);
}
