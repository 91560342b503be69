import { describe, expect, it } from 'vitest';
import { askList } from '../../../../conformance/checks/survey/looks/list-ask.ts';
import type { World } from '../../../../conformance/checks/survey/world/world.ts';

/** A world whose list answers pages of one record each: id and total as told. */
function worldOf(pages: readonly (readonly [id: string, total: number])[]): World {
  const answer = async (at: number) => {
    const [id, total] = pages[at] ?? ['', 0];
    const nextPage = at + 1 < pages.length ? { nextPage: { href: `/ers/config/sgt?size=1&page=${at + 2}` } } : {};
    const json = { SearchResult: { total, resources: [{ id }], ...nextPage } };
    return { status: 200, headers: {}, body: '', json };
  };
  return {
    records: ['a', 'b'].map((id) => ({ id })),
    family: { name: 'sgt' },
    context: {
      run: { dialect: () => undefined, needsCsrf: () => false },
      ledger: { owned: () => [], created: () => [] },
    },
    scope: {
      send: (_: string, { list }: { list?: { size?: number } }) =>
        list?.size === 50
          ? Promise.resolve({
              ...{ status: 200, headers: {}, body: '' },
              json: { SearchResult: { total: 2, resources: [{ id: 'a' }, { id: 'b' }] } },
            })
          : answer(0),
      follow: (href: string) => answer(Number(new URL(href, 'http://a').searchParams.get('page')) - 1),
    },
  } as unknown as World;
}

const ROUND = { id: 'pages', after: 'none', asks: 'whole', pages: true } as const;

describe('a record that a list shows twice', () => {
  it.each<[string, readonly (readonly [string, number])[], boolean]>([
    [
      "is no fault where somebody's record came between two pages and is gone by now",
      [
        ['a', 2],
        ['a', 3],
        ['b', 3],
      ],
      true,
    ],
    [
      'is one where all pages tell the same total',
      [
        ['a', 2],
        ['a', 2],
        ['b', 2],
      ],
      false,
    ],
  ])('%s', async (_, pages, isMoved) => {
    const asked = await askList(worldOf(pages), { size: 1 }, ROUND);
    expect(asked.fault).toBe('a is in the list twice');
    expect(await asked.isMoved()).toBe(isMoved);
  });
});
