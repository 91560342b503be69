import type { Exchange } from '../../lib/client/types.ts';
import { pageNumber } from '../../lib/text.ts';

/** Exchanges that a failure names, at most, and writes among them. */
const MOST = 12;
const MOST_WRITES = 4;

const textOf = ({ request: { method, path }, status, body }: Exchange) => `${method} ${path} ${status} ${body}`;

/** The first pages of the walk that led to a page, and that page: what its query was, only the first one says. */
function walkTo(exchanges: readonly Exchange[], page: number): readonly Exchange[] {
  const isPage = (number: number) => (each: Exchange) =>
    each.request.op === 'list' && pageNumber(each.request.path) === number;
  const at = exchanges.findLastIndex(isPage(page));
  const from = exchanges.slice(0, at + 1).findLastIndex(isPage(1));
  return at < 0 || from < 0 ? [] : [...exchanges.slice(from, Math.min(from + 2, at)), ...exchanges.slice(at, at + 1)];
}

/**
 * The last exchanges of those that led to a failure, in order, with the last writes: looks are repeated until they agree.
 * Of a read with the same answer again and again, the last one. `page`: that of the list which the failure is about.
 */
export function telling(exchanges: readonly Exchange[], page = 1): readonly Exchange[] {
  const texts = exchanges.map(textOf);
  const walk = page > 1 ? walkTo(exchanges, page) : [];
  const distinct = exchanges.filter((each, at) => texts[at] !== texts[at + 1] || walk.includes(each));
  const writes = distinct.filter(({ request }) => request.method !== 'GET').slice(-MOST_WRITES);
  const others = distinct.filter((exchange) => !writes.includes(exchange)).slice(writes.length - MOST);
  return distinct.filter((exchange) => [writes, walk, others].some((some) => some.includes(exchange)));
}
