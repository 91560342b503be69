import { expect, it } from 'vitest';
import { listHoldings } from '../../../../load/endpoints/list-holdings.ts';
import { aLoadContext, pool } from '../../../helpers/a-load-context.ts';

it('walking the list of endpoints ends before the records of a page far larger than its total', async () => {
  const { anc, client, target } = await aLoadContext({ more: 5000 });
  anc.held.set(pool.at(0).macAddress, 'Test');
  const seen: string[] = [];
  const onPage = (listed: readonly { readonly mac: string }[]) => seen.push(...listed.map(({ mac }) => mac));
  const walk = await listHoldings(client, 1000, onPage);
  expect(walk.cut).toMatch(/the list takes \d+ requests, more than --reconcile-limit 1000/);
  expect([seen, target.seen.length]).toEqual([[], 1]);
});
