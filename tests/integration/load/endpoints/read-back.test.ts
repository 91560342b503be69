import { describe, expect, it } from 'vitest';
import { emptySamples, OUTCOME, type Samples } from '../../../../lib/records/load/load.ts';
import { clearPool } from '../../../../load/endpoints/clear-pool.ts';
import { endpointsOf } from '../../../../load/endpoints/context.ts';
import { listHoldings } from '../../../../load/endpoints/list-holdings.ts';
import { prepareCell } from '../../../../load/endpoints/prepare.ts';
import { lookBefore, readBack } from '../../../../load/endpoints/read-back.ts';
import type { PlannedCell } from '../../../../load/plan/plan.ts';
import { aLoadContext, pool } from '../../../helpers/a-load-context.ts';

/** Samples of a cell in which every arrival succeeded. */
function allGood(cell: PlannedCell): Samples {
  const samples = emptySamples(cell.endpointCount - 1);
  for (let row = 0; row < samples.seq.length; row += 1) samples.seq[row] = row;
  return samples;
}

/** As a load records them, where no transaction failed in a way that is told. */
const recorded = (samples: Samples) => ({ samples, failures: [] });

describe('read-back', () => {
  it('proves at least 20 endpoints of an honest target, and clears by what was there before', async () => {
    const { context, apply, clear } = await aLoadContext();
    const before = await lookBefore(context, apply);
    await prepareCell(context, clear, () => undefined);
    const back = await readBack(context, apply, before, recorded(allGood(apply)));
    expect(back.sampled).toBeGreaterThanOrEqual(20);
    expect(back).toMatchObject({ proven: back.sampled, mismatches: [], totalBefore: 0 });
    expect(back.totalAfter).toBe(clear.endpointCount);
  });

  it('waits for what was done before the load to be shown, as after it', async () => {
    const { anc, context, clear } = await aLoadContext();
    await prepareCell(context, clear, () => undefined);
    const shown = new Map(anc.held);
    anc.held.clear();
    setTimeout(() => {
      for (const [mac, policy] of shown) anc.held.set(mac, policy);
    }, 300);
    const { holdings } = await lookBefore(context, clear);
    expect([holdings.size >= 20, new Set(holdings.values())]).toEqual([true, new Set(['Test'])]);
  });

  it('has an endpoint that holds the policy of somebody else looked at again before it is cleared', async () => {
    const { anc, context, apply, clear } = await aLoadContext();
    const before = await lookBefore(context, apply);
    await prepareCell(context, clear, () => undefined);
    const macs = endpointsOf(apply).map((index) => pool.at(index).macAddress);
    for (const mac of macs) anc.held.set(mac, 'Quarantine');
    const { sampled } = await readBack(context, apply, before, recorded(allGood(apply)));
    await clearPool(context, () => undefined);
    expect(macs.filter((mac) => anc.held.get(mac) === 'Quarantine').length).toBeGreaterThanOrEqual(sampled);
    // Nor is anything written there before another try.
    expect(await prepareCell(context, clear, () => undefined)).toMatch(
      /holds "Quarantine", which this load did not put there/,
    );
    expect([...anc.held.values()].filter((policy) => policy !== 'Quarantine')).toEqual([]);
  });

  it('proves nothing of a target that answers with success and stores nothing', async () => {
    const { context, apply, clear } = await aLoadContext({ forgets: true });
    for (const cell of [apply, clear]) {
      await prepareCell(context, cell, () => undefined);
      const back = await readBack(context, cell, await lookBefore(context, cell), recorded(allGood(cell)));
      expect([back.sampled >= 20, back.proven], cell.operation).toEqual([true, 0]);
      expect(back.mismatches.length).toBeGreaterThan(0);
    }
  });

  it('shows that nothing succeeded instead of looking at nothing', async () => {
    const { context, apply } = await aLoadContext();
    const samples = allGood(apply);
    samples.outcome.fill(OUTCOME.firstFailure);
    const back = await readBack(context, apply, await lookBefore(context, apply), recorded(samples));
    expect(back).toMatchObject({ proven: 0, mismatches: ['no transaction succeeded'] });
    expect(back.sampled).toBeGreaterThan(0);
  });
});

it('the look at what was refused counts endpoints that took effect all the same, in a search', async () => {
  const { anc, context, apply, clear } = await aLoadContext();
  const before = await lookBefore(context, apply);
  await prepareCell(context, clear, () => undefined);
  const samples = allGood(apply);
  samples.outcome.fill(OUTCOME.firstFailure, 0, 40);
  const failures = [{ kind: 'server-error' as const, status: 500, errorCode: '', count: 40 }];
  const step = { number: 1, purpose: 'search' as const };
  const looked = async () => (await readBack(context, { ...apply, step }, before, { samples, failures })).refused;
  expect(await looked()).toEqual([{ failure: 0, looked: 20, done: 20 }]);
  anc.held.clear();
  expect(await looked()).toEqual([{ failure: 0, looked: 20, done: 0 }]);
  expect((await readBack(context, apply, before, { samples, failures })).refused).toBeUndefined();
});

it('walking the list of endpoints ends before the records of a page far larger than its total', async () => {
  const { anc, client, target } = await aLoadContext({ more: 5000 });
  anc.held.set(pool.at(0).macAddress, 'Test');
  const seen: string[] = [];
  const onPage = (listed: readonly { readonly mac: string }[]) => seen.push(...listed.map(({ mac }) => mac));
  const walk = await listHoldings(client, 1000, onPage);
  expect(walk.cut).toMatch(/the list takes \d+ requests, more than --reconcile-limit 1000/);
  expect([seen, target.seen.length]).toEqual([[], 1]);
});
