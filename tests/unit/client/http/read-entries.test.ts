import { describe, expect, it } from 'vitest';
import { readEntries } from '../../../../lib/client/http/read-entries.ts';
import type { ErsClient } from '../../../../lib/client/types.ts';
import { TargetError } from '../../../../lib/errors.ts';

/** A target whose list has no end: each page names another. */
function endless(follow?: () => never, idOf = (page: number) => String(page)) {
  let pages = 0;
  const page = async () => {
    pages += 1;
    const SearchResult = { total: 1, resources: [{ id: idOf(pages) }], nextPage: { href: `/p${pages}` } };
    return { status: 200, headers: {}, body: '', json: { SearchResult } };
  };
  const client = { send: page, follow: follow ?? page } as unknown as ErsClient;
  return { client, pages: () => pages };
}

describe('a walk over a list', () => {
  it('asks for no further page after ten minutes, and is not whole then', async () => {
    const { client, pages } = endless();
    let now = 0;
    const clock = () => (now += 60_000);
    const { complete, entries } = await readEntries(client, 'sgt', {}, 1_000_000, clock);
    expect([complete, entries.length, pages()]).toEqual([false, 11, 11]);
  });

  it('ends after three pages in a row that show nothing new, and is not whole then', async () => {
    const { client, pages } = endless(undefined, () => 'same');
    const { complete } = await readEntries(client, 'sgt', {}, 1_000_000);
    expect([complete, pages()]).toEqual([false, 4]);
  });

  it.each([null, 7, 'x', {}, { id: null }, { id: '' }, { id: '..' }])(
    'is not whole where an item of it names no record: %j',
    async (item) => {
      const json = { SearchResult: { total: 2, resources: [{ id: '1' }, item] } };
      const client = { send: async () => ({ status: 200, headers: {}, body: '', json }) } as unknown as ErsClient;
      const { complete, entries } = await readEntries(client, 'sgt', {}, 10);
      expect([complete, entries.length]).toEqual([false, 1]);
    },
  );

  it('is not whole where the list is empty against its own total', async () => {
    const json = { SearchResult: { total: 2, resources: [] } };
    const client = { send: async () => ({ status: 200, headers: {}, body: '', json }) } as unknown as ErsClient;
    expect(await readEntries(client, 'sgt', {}, 10)).toMatchObject({ complete: false, entries: [] });
  });

  it('ends at a link that is not followed, and is not whole then', async () => {
    const { client } = endless(() => {
      throw new TargetError('foreign-link', 'not under /ers/config');
    });
    const { complete, entries } = await readEntries(client, 'sgt', {}, 10);
    expect([complete, entries.length]).toEqual([false, 1]);
  });
});
