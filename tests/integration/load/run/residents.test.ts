import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { journalTrail, touchedEndpoints } from '../../../../lib/client/cleanup/outstanding.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { clearPool } from '../../../../load/endpoints/clear-pool.ts';
import type { LoadContext } from '../../../../load/endpoints/context.ts';
import { readInitialState } from '../../../../load/endpoints/initial-state.ts';
import { poolState } from '../../../../load/endpoints/pool-state.ts';
import { prepareCell } from '../../../../load/endpoints/prepare.ts';
import { reconcile } from '../../../../load/endpoints/reconcile.ts';
import { type PlannedCell, planLoad } from '../../../../load/plan/plan.ts';
import { aClient } from '../../../helpers/a-client.ts';
import { ancStub } from '../../../helpers/anc-target.ts';
import { stubOfTest } from '../../../helpers/stub-target.ts';

const pool = readPool('02:00:00:00:00:00+3000@10.0.0.0');

/** A load of two short cells with one in a hundred of 60,000 endpoints resident, against a target that tells the truth. */
async function aLoad() {
  const anc = ancStub();
  const target = await stubOfTest(anc.answer);
  const plan = planLoad(
    {
      ...{ profiles: ['60k'], operations: ['apply-by-mac', 'clear-by-mac'], depth: 'quick', ratePerSecond: 20 },
      ...{ durationSeconds: 2, connections: 10, timeoutMs: 2000, residentPercent: 1 },
    },
    { pool, policy: 'Test' },
  );
  const { client, journal } = aClient(target.baseUrl, { mode: 'full', pool, policies: ['Test'] });
  const context: LoadContext = {
    ...{ plan, clock: systemClock, signal: undefined },
    client: client.view({ records: 'faults', ancJournal: 'covered' }),
    state: poolState(pool.size),
  };
  const [apply, clear] = plan.cells as readonly [PlannedCell, PlannedCell];
  return { anc, context, journal, apply, clear };
}

describe('endpoints that hold a policy while the cells run', () => {
  it('are put on before the first cell, journaled, reconciled as ours, and taken off at the end', async () => {
    const { anc, context, apply, clear, journal } = await aLoad();
    const { offset = 0, size = 0 } = context.plan.resident ?? {};
    expect([size, offset]).toEqual([600, 2400]);
    expect(await prepareCell(context, apply, () => undefined)).toBeUndefined();
    const residents = Array.from({ length: size }, (_, place) => pool.at(offset + place).macAddress);
    expect([...anc.held.keys()].sort()).toEqual(residents);
    // A sweep finds every one of them by the journal alone.
    const { indexes } = touchedEndpoints(journalTrail(journal), pool);
    expect(indexes.filter((index) => index >= offset)).toHaveLength(size);
    // They stay: the next cell has nothing to do for them.
    await prepareCell(context, clear, () => undefined);
    expect(journal.filter(({ endpoints }) => endpoints?.offset === offset)).toHaveLength(1);
    const first = residents[7] ?? '';
    anc.held.delete(first);
    const found = await reconcile(context, 20_000, 0);
    expect(found).toMatchObject({ foreign: { count: 0 }, lost: { count: 1, examples: [`${first} is not listed`] } });
    expect(await clearPool(context, () => undefined)).toMatchObject({ residue: [] });
    expect(anc.held.size).toBe(0);
    expect(journal.at(-1)).toMatchObject({ event: 'cleared', endpoints: { offset, size, count: size } });
  });

  it('are refused where one of them holds a policy of somebody else', async () => {
    const { anc, context } = await aLoad();
    anc.held.set(pool.at(2999).macAddress, 'Quarantine');
    await expect(readInitialState(context)).rejects.toMatchObject({ code: 'endpoint-holds-policy' });
  });
});
