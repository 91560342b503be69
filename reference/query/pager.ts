import { encodeQuery } from '../../lib/wire/query.ts';
import { Problem } from '../answers/problem.ts';
import type { Pager, Seams } from '../seams.ts';

/** Pages of a result and the links between them. */
export function createPager(seams: Seams): Pager {
  return {
    range: ({ page, size }, total) => {
      const { firstPage, pastEnd } = seams.dialect;
      const from = (page - firstPage) * size;
      if (from >= total && page !== firstPage && pastEnd === 'refuse')
        throw new Problem(400, 'page', `The page ${page} does not exist. Please refine your query.`);
      return { from, to: Math.min(from + size, total), hasNext: from + size < total, hasPrevious: page > firstPage };
    },
    items: (list, { from, to }) => list.slice(from, to),
    linkPage: ({ page }, step) => page + step,
    // Clients read the number of the page off the end of the link (C9).
    linkPairs: ({ pairs, size }, page) => [...pairs, ['size', String(size)], ['page', String(page)]],
    href: ({ request }, path, pairs) => `${request.origin}${path}${encodeQuery(pairs)}`,
  };
}
