import { describe, expect, it } from 'vitest';
import { askList } from '../../../../conformance/checks/survey/looks/list-ask.ts';
import type { World } from '../../../../conformance/checks/survey/world/world.ts';

/** Pages of one record each: id, and the total that the page tells. */
type Pages = readonly (readonly [id: string, total: number])[];

const exchange = (SearchResult: object) => ({ status: 200, headers: {}, body: '', json: { SearchResult } });

/** A world whose list answers with these pages, another time with the next ones; on one large page it is whole. */
function worldOf(walks: readonly Pages[]): World {
  let walk = -1;
  const answer = async (at: number) => {
    const pages = walks[Math.min(walk, walks.length - 1)] ?? [];
    const [id, total] = pages[at] ?? ['', 0];
    const nextPage = at + 1 < pages.length ? { nextPage: { href: `/ers/config/sgt?size=1&page=${at + 2}` } } : {};
    return exchange({ total, resources: [{ id }], ...nextPage });
  };
  return {
    records: ['a', 'b'].map((id) => ({ id })),
    family: { name: 'sgt' },
    carried: { headers: {}, extra: [] },
    context: {
      run: { dialect: () => undefined, needsCsrf: () => false },
      ledger: { owned: () => [], created: () => [] },
    },
    scope: {
      send: async (_: string, { list }: { list?: { size?: number } }) => {
        if (list?.size === 50) return exchange({ total: 2, resources: [{ id: 'a' }, { id: 'b' }] });
        walk += 1;
        return answer(0);
      },
      follow: (href: string) => answer(Number(new URL(href, 'http://a').searchParams.get('page')) - 1),
    },
  } as unknown as World;
}

const ROUND = { id: 'pages', after: 'none', asks: 'whole', pages: true } as const;
const pagesOf = (...pages: readonly string[]): Pages => pages.map((page) => [page[0] ?? '', Number(page[1])]);
const TORN = pagesOf('a2', 'a3', 'b3');

describe('a record that a list shows twice', () => {
  it.each<[string, readonly Pages[], boolean]>([
    [
      "is no fault where somebody's record came between two pages and is gone by now",
      [TORN, pagesOf('a2', 'b2')],
      true,
    ],
    ['is one where it is there twice the next time too', [TORN, TORN], false],
    ['is one where all pages tell the same total', [pagesOf('a2', 'a2', 'b2'), pagesOf('a2', 'b2')], false],
  ])('%s', async (_, walks, isMoved) => {
    const asked = await askList(worldOf(walks), { size: 1 }, ROUND);
    expect(asked.fault).toBe('a is in the list twice');
    expect(await asked.isMoved()).toBe(isMoved);
  });
});
