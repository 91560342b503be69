import { describe, expect, it } from 'vitest';
import { holdingsOf } from '../../../lib/client/anc/look.ts';
import { lookupOf } from '../../../lib/client/anc/lookup.ts';
import { holdingByFilter, learnLookup, seenHoldings } from '../../../lib/client/anc/state.ts';
import { aStubClient } from '../../helpers/a-client.ts';
import { type AncStubOptions, ancStub } from '../../helpers/anc-target.ts';

const HELD = '02:AB:00:00:00:0F';
const FREE = '02:AB:00:00:00:1F';

async function aLookup(options: AncStubOptions) {
  const anc = ancStub(options);
  anc.held.set(HELD, 'Test');
  return { anc, ...(await aStubClient({ mode: 'full' }, anc.answer)) };
}

describe('looking up what an endpoint holds', () => {
  it.each([false, true])('asks for addresses as the target writes them; in names alone: %s', async (inNames) => {
    const { client } = await aLookup({ inNames, writes: (mac) => mac.toLowerCase().replaceAll(':', '-') });
    await learnLookup(client, HELD);
    expect([await holdingByFilter(client, HELD), await holdingByFilter(client, FREE)]).toEqual(['Test', null]);
  });

  it('tries the member that the filter reads where the listed field is refused, and asks for the listed one no more', async () => {
    const { target, client } = await aLookup({ filterField: 'macAddress' });
    expect([await holdingByFilter(client, HELD), await holdingByFilter(client, FREE)]).toEqual(['Test', null]);
    expect(target.seen.filter(({ url }) => url.includes('filter=name')).length).toBe(1);
  });

  it('walks the list once for all of them where every filter is refused', async () => {
    const { target, client } = await aLookup({ filterField: 'nothing' });
    expect(await holdingByFilter(client, FREE)).toBeUndefined();
    const { holdings } = await holdingsOf(client, [HELD, FREE]);
    expect([holdings.get(HELD), holdings.get(FREE)]).toEqual(['Test', null]);
    expect(lookupOf(client).fields).toEqual([]);
    // Two refusals, the total, one page, one record.
    expect(target.seen).toHaveLength(5);
  });

  it('does not take it for absent where a filter misses what the list shows', async () => {
    const anc = ancStub();
    anc.held.set(HELD, 'Test');
    const { client } = await aStubClient({ mode: 'full' }, (request, response) => {
      if (request.url.includes('filter=')) return ancStub().answer(request, response);
      return anc.answer(request, response);
    });
    await learnLookup(client, HELD);
    expect(await holdingByFilter(client, HELD)).toBeUndefined();
    for (const mac of [HELD, FREE]) {
      const { holdings } = await holdingsOf(client, [mac]);
      expect(holdings.get(mac)).toBe(mac === HELD ? 'Test' : null);
    }
  });

  it('tells nothing where the list shows records that are not found', async () => {
    const { client } = await aLookup({ hidesRecords: true, filterField: 'nothing' });
    expect(await seenHoldings(client)).toMatchObject({ isWhole: false });
    expect((await holdingsOf(client, [HELD])).holdings.has(HELD)).toBe(false);
  });

  it('learns nothing from an endpoint that is nowhere listed', async () => {
    const { anc, client } = await aLookup({});
    anc.held.delete(HELD);
    await learnLookup(client, HELD);
    expect(await holdingByFilter(client, HELD)).toBeNull();
  });
});
