import type { Exchange } from '../../lib/client/types.ts';

/** Exchanges that a failure names, at most, and writes among them. */
const MOST = 12;
const MOST_WRITES = 4;

const textOf = ({ request: { method, path }, status, body }: Exchange) => `${method} ${path} ${status} ${body}`;

/**
 * The last exchanges of those that led to a failure, in order, with the last writes: looks are repeated until they agree. Of a read that was
 * answered alike again and again, the last one.
 */
export function telling(exchanges: readonly Exchange[]): readonly Exchange[] {
  const texts = exchanges.map(textOf);
  const distinct = exchanges.filter((_, at) => texts[at] !== texts[at + 1]);
  const writes = distinct.filter(({ request }) => request.method !== 'GET').slice(-MOST_WRITES);
  const others = distinct.filter((exchange) => !writes.includes(exchange)).slice(writes.length - MOST);
  return distinct.filter((exchange) => writes.includes(exchange) || others.includes(exchange));
}
