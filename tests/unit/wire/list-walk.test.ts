import { describe, expect, it, vi } from 'vitest';
import { eachPage, walkList } from '../../../lib/wire/list-walk.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';

const answer = (status: number, json: unknown) => Promise.resolve({ status, headers: {}, json });
const page = (ids: readonly string[], next?: string) =>
  answer(200, {
    SearchResult: { resources: ids.map((id) => ({ id })), ...(next === undefined ? {} : { nextPage: { href: next } }) },
  });

/** A target of three entries that serves pages of at most `largest`. */
function target(largest: number) {
  const asked: string[] = [];
  return {
    asked,
    list: ({ list }: RequestInput) => {
      asked.push(`size ${list?.size ?? 'none'}`);
      return (list?.size ?? 1) > largest ? answer(400, {}) : page(['a'], '/2');
    },
    follow: (href: string) => {
      asked.push(href);
      return href === '/2' ? page(['b'], '/3') : page(['c']);
    },
  };
}

describe('a walk over a list', () => {
  it('asks for pages of the target’s own size where the size does not matter', async () => {
    const served = target(50);
    const walk = await walkList(served, { list: { size: 100 } }, { anySize: true });
    expect([walk.ids, walk.refused]).toEqual([['a', 'b', 'c'], undefined]);
    expect(served.asked).toEqual(['size 100', 'size none', '/2', '/3']);
    expect(await walkList(target(50), { list: { size: 100 } })).toMatchObject({ ids: [], refused: { status: 400 } });
  });

  it('does not ask again where the login is refused', async () => {
    const list = vi.fn(() => answer(401, {}));
    await walkList({ list, follow: list }, { list: { size: 100 } }, { anySize: true });
    expect(list).toHaveBeenCalledTimes(1);
  });

  it('ends at a link that comes twice, at its bound of pages, and where its reader has enough', async () => {
    const list = () => page(['a'], '/1');
    expect(await walkList({ list, follow: list }, {})).toMatchObject({ cut: 'loop', ids: ['a', 'a'] });
    expect(await walkList(target(1), {}, { pages: 2 })).toMatchObject({ cut: 'length', ids: ['a', 'b'] });
    expect(await eachPage(target(1), {}, {}, () => false)).toEqual({ cut: 'length' });
  });

  it('does not follow an address that no request can carry, and has no entry of such an id', async () => {
    const long = () => page(['x'.repeat(10_000)], `/next/${'x'.repeat(10_000)}`);
    const walk = await walkList({ list: long, follow: long }, {});
    expect([walk.cut, walk.ids, walk.pages.length]).toEqual(['length', [], 1]);
  });

  it('reads no further than its pages may be kept', async () => {
    let asked = 0;
    const large = async () => {
      asked += 1;
      return { ...(await page([`${asked}`], `/next/${asked}`)), body: 'x'.repeat(4 * 1024 * 1024) };
    };
    const walk = await walkList({ list: large, follow: large }, {});
    expect([walk.cut, asked]).toEqual(['length', 2]);
  });
});
