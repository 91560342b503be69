import { expect, it } from 'vitest';
import { createdId } from '../../../../conformance/kit/record/fixture.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

type Context = Parameters<typeof createdId>[0];

/** What a create is found as that answers without an id, under a name whose former record was removed; `lists`: one after the other. */
async function found(lists: readonly (readonly string[])[]) {
  let asked = 0;
  const send = async () => {
    const resources = (lists[Math.min(asked, lists.length - 1)] ?? []).map((id) => ({ id, name: 'again' }));
    asked += 1;
    return { status: 200, headers: {}, body: '', json: { SearchResult: { total: resources.length, resources } } };
  };
  const eventually = async (look: () => Promise<unknown>) => {
    for (let tries = 0; tries < 3; tries += 1) {
      const value = await look();
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const ledger = { standing: (_: string, id: string) => (id === 'former' ? 'gone' : undefined), adopt: () => true };
  const context = { send, follow: send, table: FAMILIES, ledger, eventually } as unknown as Context;
  const created = { status: 202, headers: {}, json: {}, body: '' } as unknown as Exchange;
  return createdId(context, 'sxpvpns', created, 'again');
}

it('a record made under the name of one that was removed is the new one, also if the list shows the former for a while', async () => {
  expect(await found([['former'], ['former', 'new']])).toEqual({ id: 'new', by: 'list' });
  expect(await found([['former'], ['new']])).toEqual({ id: 'new', by: 'list' });
});

it('the id of a removed record is that of the new one if no other one comes up', async () => {
  expect(await found([['former']])).toEqual({ id: 'former', by: 'list' });
  expect(await found([[]])).toBeUndefined();
});
