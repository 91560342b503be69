import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/clock.ts';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import { readRunFolder } from '../../../../lib/records/folder/reader.ts';
import { openRunFolder } from '../../../../lib/records/folder/writer.ts';
import { clearPool } from '../../../../load/endpoints/clear-pool.ts';
import { endpointsOf } from '../../../../load/endpoints/context.ts';
import { readInitialState } from '../../../../load/endpoints/initial-state.ts';
import { prepareCell } from '../../../../load/endpoints/prepare.ts';
import { runLoad } from '../../../../load/run/run.ts';
import { aLoadContext, aPlan, pool } from '../../../helpers/a-load-context.ts';
import { aHeader } from '../../../helpers/a-run.ts';
import { folderOfTests } from '../../../helpers/folder.ts';

describe('preparing a cell', () => {
  it('clears what an apply cell will use, gives a clear cell its policy, and leaves alone what is right', async () => {
    const { target, anc, context, apply, clear, journal } = await aLoadContext();
    expect(await prepareCell(context, apply, () => undefined)).toBeUndefined();
    expect(anc.held.size).toBe(0);
    expect(target.seen).toHaveLength(0);
    expect(await prepareCell(context, clear, () => undefined)).toBeUndefined();
    expect(anc.held.size).toBe(clear.endpointCount);
    // One entry covers all of it, and was there first.
    expect(journal).toMatchObject([{ event: 'intent', operation: 'apply', endpoints: { offset: 0, size: 1000 } }]);
    expect(journal[0]?.endpoints?.count).toBeGreaterThanOrEqual(clear.endpointCount);
    expect(await prepareCell(context, apply, () => undefined)).toBeUndefined();
    expect(anc.held.size).toBe(0);
  });

  it('gives a reason and no cell when the target will not change the endpoints', async () => {
    const { anc, context, apply } = await aLoadContext({ keeps: true });
    for (const index of endpointsOf(apply)) {
      anc.held.set(pool.at(index).macAddress, 'Test');
      context.state.set(index, 'policy');
    }
    expect(await prepareCell(context, apply, () => undefined)).toMatch(/endpoints could not be cleared/);
  });
});

it('a pool that holds a policy of somebody else is refused, unless it is taken over', async () => {
  for (const takeOver of [false, true]) {
    const { anc, context, apply } = await aLoadContext({}, aPlan({ takeOver }));
    const [index = 0] = endpointsOf(apply);
    const { macAddress } = pool.at(index);
    anc.held.set(macAddress, 'Quarantine');
    const looked = readInitialState(context).then(() => 'taken over');
    if (takeOver) expect(await looked).toBe('taken over');
    else
      await expect(looked).rejects.toMatchObject({
        code: 'endpoint-holds-policy',
        message: expect.stringContaining(`${macAddress} holds "Quarantine"`),
      });
    await clearPool(context, () => undefined);
    expect(anc.held.has(macAddress)).toBe(!takeOver);
  }
});

describe('clearing the pool', () => {
  it('proves by the list that nothing is left, and names what is', async () => {
    for (const keeps of [false, true]) {
      const { anc, context, clear, journal } = await aLoadContext({ keeps });
      await prepareCell(context, clear, () => undefined);
      const { created, removed, residue } = await clearPool(context, () => undefined);
      expect([created, removed, anc.held.size]).toEqual(
        keeps ? [clear.endpointCount, 0, clear.endpointCount] : [clear.endpointCount, clear.endpointCount, 0],
      );
      expect(residue).toHaveLength(keeps ? clear.endpointCount : 0);
      expect(journal.at(-1)?.event).toBe(keeps ? 'intent' : 'cleared');
    }
  });

  it('finds a policy that strayed beyond the reach of the cells, and leaves alone what was there before', async () => {
    const { anc, context, apply } = await aLoadContext();
    const [old, stray] = [pool.at(2998).macAddress, pool.at(2999).macAddress];
    anc.held.set(old, 'Test');
    await readInitialState(context);
    for (const index of endpointsOf(apply).slice(0, 2)) {
      context.state.set(index, 'policy');
      anc.held.set(pool.at(index).macAddress, 'Test');
    }
    anc.held.set(stray, 'Test');
    expect(await clearPool(context, () => undefined)).toMatchObject({ residue: [] });
    expect([...anc.held.keys()]).toEqual([old]);
  });
});

describe('a load whose generator cannot be started', () => {
  const folder = folderOfTests();
  const DEPS = {
    ...{ clock: systemClock, env: {}, onProgress: () => undefined },
    k6: { path: '/nowhere', version: '2.2.0', sha256: '' },
  };

  it('records both tries as invalid, leaves nothing behind and keeps going to its end', async () => {
    const writer = openRunFolder(folder);
    const { anc, client } = await aLoadContext();
    const { cleanup } = await runLoad(aPlan(), { ...DEPS, client, writer });
    expect([anc.held.size, cleanup.residue]).toEqual([0, []]);
    writer.header(aHeader({ command: 'load' }));
    const tries = ['apply-by-mac-1', 'apply-by-mac-2', 'clear-by-mac-1', 'clear-by-mac-2'];
    const records = readRunFolder(folder);
    expect(records.cells.map(({ facts }) => facts.id)).toEqual(tries.map((id) => `60k-${id}`));
    const cells = records.cells.map(({ facts, samples }) => judgeCell(facts, samples));
    expect(new Set(cells.map(({ verdict }) => verdict))).toEqual(new Set(['invalid']));
    expect(cells[0]?.reasons).toEqual([expect.stringMatching(/could not be run/)]);
  });

  it('names what it left alone', async () => {
    const { client, anc } = await aLoadContext();
    const theirs = pool.at(2999).macAddress;
    const writer = { cell: () => void anc.held.set(theirs, 'Other') };
    const { cleanup } = await runLoad(aPlan(), { ...DEPS, client, writer });
    expect(cleanup.leftAlone).toMatchObject([{ id: theirs }]);
  });

  it('sends nothing to the endpoints when the run is aborted, and returns what there is', async () => {
    const { client, anc } = await aLoadContext();
    const cells: unknown[] = [];
    const writer = { cell: (facts: unknown) => void cells.push(facts) };
    const signal = AbortSignal.abort(new Error('stopped'));
    const result = await runLoad(aPlan(), { ...DEPS, client, writer, signal });
    expect([result.aborted, cells.length, anc.held.size]).toEqual([true, 0, 0]);
  });
});
