import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/clock.ts';
import { residueWords } from '../../../../lib/judge/left-as-found.ts';
import { leftOf } from '../../../../lib/records/run.ts';
import { clearPool } from '../../../../load/endpoints/clear-pool.ts';
import type { LoadContext } from '../../../../load/endpoints/context.ts';
import { reachableEndpoints, readInitialState } from '../../../../load/endpoints/initial-state.ts';
import { prepareCell } from '../../../../load/endpoints/prepare.ts';
import { eagerClock } from '../../../helpers/a-client.ts';
import { aLoadContext, aPlan, aPreparedLoad, pool } from '../../../helpers/a-load-context.ts';
import type { AncStubOptions } from '../../../helpers/anc-target.ts';
import { stubOfTest } from '../../../helpers/stub-target.ts';

const hasty = { ...systemClock, sleep: async () => undefined };

describe('clearing the pool', () => {
  it('leaves a policy that came to a cleared endpoint if somebody else is seen to write to the pool', async () => {
    for (const isShared of [false, true]) {
      const clock = eagerClock();
      const { anc, context, clear } = await aLoadContext({}, aPlan(), stubOfTest, clock);
      const [again, beside] = [pool.at(2998).macAddress, pool.at(2999).macAddress];
      const sleep = async (ms: number) => {
        await clock.sleep(ms);
        if (isShared && !anc.held.delete(beside)) anc.held.set(beside, 'Test');
      };
      const watched = { ...context, clock: { ...clock, sleep } };
      await readInitialState(watched);
      await prepareCell(watched, clear, () => undefined);
      anc.held.set(again, 'Test');
      const { leftAlone = [] } = await clearPool(watched, () => undefined);
      expect([anc.held.has(again), leftAlone.some(({ id }) => id === again)]).toEqual([isShared, isShared]);
    }
  });

  it('leaves and lists a policy that somebody else puts on an endpoint while others are cleared, and no older one', async () => {
    const before = pool.at(2999).macAddress;
    let last = '';
    const { anc, context, clear } = await aLoadContext({}, aPlan({ ratePerSecond: 200 }), (answer) =>
      stubOfTest((request, ...others) => {
        if (request.url.endsWith('/clear')) anc.held.set(last, 'Other');
        answer(request, ...others);
      }),
    );
    anc.held.set(before, 'Other');
    await readInitialState(context);
    await prepareCell(context, clear, () => undefined);
    last = [...anc.held.keys()].sort().at(-2) ?? '';
    const { residue, leftAlone } = await clearPool(context, () => undefined);
    expect([[...anc.held.keys()].sort(), residue]).toEqual([[last, before], []]);
    const why = 'it held no policy when the run began, and holds "Other" now';
    expect(leftAlone).toMatchObject([{ id: last, why }]);
  });

  it('leaves open what the other endpoints hold once the list cannot be walked any more', async () => {
    for (const endless of [false, true]) {
      const bent = { endless: false };
      const { anc, context } = await aPreparedLoad(bent);
      bent.endless = endless;
      anc.held.set(pool.at(2999).macAddress, 'Test');
      const { created, removed, residue } = await clearPool(context, () => undefined);
      expect(removed).toBe(created);
      // What the list shows of the load is cleared, whether or not it has an end.
      expect(anc.held.size).toBe(0);
      expect(residue.map(({ id }) => id)).toEqual(endless ? ['(not known)'] : []);
    }
  });

  it('walks the list again where it could not be walked for a moment', async () => {
    const bent = { endless: false };
    const sleep = async () => {
      bent.endless = false;
    };
    const clock = { ...systemClock, sleep };
    const { context } = await aPreparedLoad(bent, clock);
    bent.endless = true;
    expect((await clearPool(context, () => undefined)).residue).toEqual([]);
  });

  it('names an endpoint outside of the pool that came to hold the policy of the load, and no other', async () => {
    const [before, since, other] = ['06:00:00:00:00:01', '06:00:00:00:00:02', '06:00:00:00:00:03'] as const;
    const { anc, context } = await aPreparedLoad({}, systemClock, { [before]: 'Test' });
    anc.held.set(since, 'Test').set(other, 'Other');
    const { residue, leftAlone = [] } = await clearPool(context, () => undefined);
    expect([residue, leftAlone.map(({ id }) => id)]).toEqual([[], [since]]);
    expect([...anc.held.keys()]).toEqual([before, since, other]);
  });

  it('lists two hundred endpoints outside of the pool, and counts the others', async () => {
    const { anc, context } = await aPreparedLoad();
    for (let one = 100; one < 700; one += 1)
      anc.held.set(`06:00:00:0${String(one)[0]}:00:${String(one).slice(1)}`, 'Test');
    const { leftAlone = [] } = await clearPool(context, () => undefined);
    expect([leftAlone.length, leftOf(leftAlone), leftAlone.at(-1)?.id]).toEqual([201, 600, '400 more endpoints']);
  });

  it.each([
    { load: 'an interrupted load', signal: AbortSignal.abort() },
    { load: 'a load that came to its end', signal: undefined },
  ])('sends nothing about an endpoint of $load that a look shows with another policy', async ({ signal }) => {
    const { target, anc, context } = await aPreparedLoad({}, hasty);
    const [theirs = ''] = anc.held.keys();
    anc.held.set(theirs, 'Other');
    const from = target.seen.length;
    const { residue } = await clearPool({ ...context, signal }, () => undefined);
    expect([[...anc.held], residue]).toEqual([[[theirs, 'Other']], []]);
    const writes = target.seen.slice(from).filter(({ method }) => method !== 'GET');
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.filter(({ body }) => body.includes(theirs))).toEqual([]);
  });

  it('leaves alone an endpoint whose policy has no name if that of the load was cleared', async () => {
    const { anc, context, apply } = await aPreparedLoad({}, hasty);
    await prepareCell(context, apply, () => undefined);
    const [index = 0] = context.state.touched().filter(context.state.isCleared);
    const { macAddress } = pool.at(index);
    context.state.doubt(index);
    anc.held.set(macAddress, '');
    const { residue, leftAlone } = await clearPool(context, () => undefined);
    expect([[...anc.held], residue]).toEqual([[[macAddress, '']], []]);
    expect(leftAlone).toMatchObject([{ id: macAddress }]);
  });

  it('is not prepared for a cell once somebody else put a policy there since the last transactions', async () => {
    const { anc, target, context, apply } = await aPreparedLoad();
    const [theirs = ''] = anc.held.keys();
    anc.held.set(theirs, 'Other');
    context.state.isCompared = false;
    const from = target.seen.length;
    expect(await prepareCell(context, apply, () => undefined)).toContain(`${theirs} holds "Other"`);
    expect(target.seen.slice(from).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('clears by what the target answered where its list shows nothing of the load, be it late or short', async () => {
    const bent = { hides: false };
    const { anc, context } = await aPreparedLoad(bent, hasty);
    bent.hides = true;
    const { residue } = await clearPool(context, () => undefined);
    expect([[...anc.held], residue]).toEqual([[], []]);
  });

  it.each(['that nobody waits for', 'that was taken and does not show'])(
    'looks again after the time in which a write may still take effect %s',
    async (which) => {
      let comes = () => {};
      const clock = { ...systemClock, sleep: async (ms: number) => void (ms > 10_000 && comes()) };
      const { anc, context } = await aPreparedLoad({}, clock);
      const [late = ''] = anc.held.keys();
      if (which === 'that nobody waits for') context.client.givesUp('ancendpoint');
      else anc.held.delete(late);
      comes = () => void anc.held.set(late, context.plan.policy);
      const { residue } = await clearPool(context, () => undefined);
      expect([anc.held.size, residue]).toEqual([0, []]);
    },
  );

  it('lists the endpoints of an interrupted load that nobody can look at, and clears none of them', async () => {
    const { anc, context, clear } = await aLoadContext({ hidesRecords: true });
    await prepareCell(context, clear, () => undefined);
    const before = anc.held.size;
    context.state.set(2998, 'unknown');
    context.state.set(2999, 'policy');
    context.state.set(2999, 'nothing');
    const { residue } = await clearPool({ ...context, signal: AbortSignal.abort() }, () => undefined);
    expect(anc.held.size).toBe(before);
    expect(residue[0]?.why).toMatch(/\S/);
    // What the answers say is there is told apart from what may be.
    expect(residueWords(residue)).toBe(
      `${before} records left on the target, 1 record removed but not proven gone, 1 write of unknown outcome`,
    );
  });
});

const theirs = (context: LoadContext) => pool.at(reachableEndpoints(context)[0] ?? 0).macAddress;

/** What a load says of a pool of which one endpoint is somebody else's. */
async function looked(bent: AncStubOptions): Promise<string> {
  const { anc, context } = await aLoadContext(bent);
  anc.held.set(theirs(context), 'Other').set('02:00:00:00:AB:CD', 'Other');
  return readInitialState(context).then(
    () => 'goes on',
    (fault: unknown) => (fault instanceof Error ? fault.message : ''),
  );
}

it.each<[string, AncStubOptions, RegExp]>([
  ['refuses where the list shows it', {}, /1 endpoint of the pool already holds/],
  ['refuses where the list has no end and the filter shows it', { endless: true }, /1 endpoint of the pool already/],
  ['refuses where the filter finds nothing', { endless: true, filterFinds: false }, /not to be seen/],
])('a load whose pool holds a policy of somebody else %s', async (_, bent, said) => {
  expect(await looked(bent)).toMatch(said);
});
