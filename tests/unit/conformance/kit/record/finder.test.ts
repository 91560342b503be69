import { describe, expect, it } from 'vitest';
import { takeUp } from '../../../../../conformance/kit/record/finder.ts';
import { FAMILIES } from '../../../../../lib/contract/families.ts';

type Context = Parameters<typeof takeUp>[0];

/** What a look for a name takes off the books, where the list answers with these entries. */
async function dismissed(total: number, resources: readonly unknown[]): Promise<readonly string[]> {
  const gone: string[] = [];
  const answer = { status: 200, headers: [], body: '', json: { SearchResult: { total, resources } } };
  const context = {
    send: async () => answer,
    follow: async () => answer,
    table: FAMILIES,
    ledger: { adopt: () => true, dismiss: (_family: string, name: string) => gone.push(name) },
  };
  await takeUp(context as unknown as Context, 'sgt', 'ours');
  return gone;
}

describe('a name that no record was found under', () => {
  it('is off the books where the list tells of all records', async () => {
    expect(await dismissed(0, [])).toEqual(['ours']);
    expect(await dismissed(1, [{ id: 'a', name: 'theirs' }])).toEqual(['ours']);
  });

  it.each([
    ['an entry without an id', 1, [{}]],
    ['an entry whose id is nothing', 1, [{ id: null, name: 'theirs' }]],
    ['entries that are no objects', 2, [7, null]],
    ['a total and no entries', 1, []],
  ] as const)('stays on them where the list has %s', async (_what, total, resources) => {
    expect(await dismissed(total, resources)).toEqual([]);
  });
});
