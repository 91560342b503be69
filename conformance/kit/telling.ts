import type { Exchange } from '../../lib/client/types.ts';

/** Exchanges that a failure names, at most. */
const MOST = 12;

const textOf = ({ request: { method, path }, status, body }: Exchange) => `${method} ${path} ${status} ${body}`;

/** The last exchanges of those that led to a failure, in order; of a read that was answered alike again and again, the last one. */
export function telling(exchanges: readonly Exchange[]): readonly Exchange[] {
  const texts = exchanges.map(textOf);
  return exchanges.filter((_, at) => texts[at] !== texts[at + 1]).slice(-MOST);
}
