import { describe, expect, it } from 'vitest';
import { journalTrail, touchedEndpoints } from '../../../../lib/client/cleanup/outstanding.ts';
import { clearPool } from '../../../../load/endpoints/clear-pool.ts';
import { readInitialState } from '../../../../load/endpoints/initial-state.ts';
import { prepareCell } from '../../../../load/endpoints/prepare.ts';
import { reconcile } from '../../../../load/endpoints/reconcile.ts';
import { aLoadContext, aPlan, pool } from '../../../helpers/a-load-context.ts';

/** A load of two short cells with one in a hundred of 60,000 endpoints resident. */
const aLoad = () => aLoadContext({}, aPlan({ residentPercent: 1 }));

describe('endpoints that hold a policy while the cells run', () => {
  it('are put on before the first cell, journaled, reconciled as ours, and taken off at the end', async () => {
    const { anc, context, apply, clear, journal } = await aLoad();
    const { offset = 0, size = 0 } = context.plan.resident ?? {};
    expect([size, offset]).toEqual([600, 2400]);
    expect(await prepareCell(context, apply, () => undefined)).toBeUndefined();
    const residents = Array.from({ length: size }, (_, place) => pool.at(offset + place).macAddress);
    expect([...anc.held.keys()].sort()).toEqual(residents);
    // A sweep finds every one of them by the journal alone.
    const indexes = touchedEndpoints(journalTrail(journal), pool);
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
