import { describe, expect, it, vi } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { noteOther } from '../../../../load/endpoints/context.ts';
import { reconcile } from '../../../../load/endpoints/reconcile.ts';
import { planLoad } from '../../../../load/plan/plan.ts';
import { aLoadContext } from '../../../helpers/a-load-context.ts';
import type { AncStubOptions } from '../../../helpers/anc-target.ts';

const SIZE = 600;
const pool = readPool('02:00:00:00:00:00+6500@10.0.0.0');
const macAt = (index: number) => pool.at(index).macAddress;

const plan = planLoad(
  { profiles: ['60k'], operations: ['apply-by-mac'], timeoutMs: 2000, durationSeconds: 5 },
  { pool, policy: 'Test' },
);

/** Everything was applied and acknowledged, the list holds it; the test then takes away what it likes. */
async function applied(shape: AncStubOptions, size = SIZE) {
  const { anc, context, target } = await aLoadContext(shape, plan);
  const { state } = context;
  for (let index = 0; index < size; index += 1) {
    anc.held.set(macAt(index), 'Test');
    state.set(index, 'policy');
  }
  return { held: anc.held, state, context, sent: () => target.seen.length };
}

describe('the list held against what was acknowledged', () => {
  it('counts a cleared endpoint that holds a policy of somebody else among those of others, and not as lost', async () => {
    const { held, state, context } = await applied({ names: true }, 40);
    for (const at of [3, 4]) state.set(at, 'nothing');
    held.set(macAt(3), 'Other');
    const found = await reconcile(context, 20_000, 0);
    expect(found).toMatchObject({ lost: { count: 1, examples: [`${macAt(4)} is still listed`] } });
    expect(found.foreign).toMatchObject({ count: 1, examples: [macAt(3)] });
    expect(state.foreign).toBe(`${macAt(3)} holds "Other"`);
  });

  it.each([true, false])(
    'finds 20 of 20 lost endpoints, and names ten (entries with their address: %s)',
    async (names) => {
      const { held, state, context } = await applied({ names });
      for (let at = 0; at < 20; at += 1) held.delete(macAt(at * 29));
      const found = await reconcile(context, 20_000, 0);
      expect(found).toMatchObject({ acknowledged: SIZE, listed: SIZE - 20, pages: 6, lost: { count: 20 } });
      expect(found.lost?.examples).toHaveLength(10);
      expect(found.lost?.examples[0]).toBe(`${macAt(0)} is not listed`);
      // They count once: from then on they are doubtful, and cleared at the end.
      expect((await reconcile(context, 20_000, 0)).lost?.count).toBe(0);
      expect(state.toClear()).toContain(29);
    },
  );

  it('tells what was not acknowledged, what is of others and what holds another policy apart from it', async () => {
    const { held, state, context } = await applied({ names: false });
    for (let index = 0; index < 5; index += 1) state.set(index, 'unknown');
    held.set(macAt(SIZE + 1), 'Theirs');
    held.set('0A:0B:0C:0D:0E:0F', 'Theirs');
    held.set(macAt(7), 'Other');
    const found = await reconcile(context, 20_000, 0);
    expect(found).toMatchObject({ lost: { count: 0 }, unacknowledged: { count: 5 }, foreign: { count: 2 } });
    expect(found.wrongPolicy).toMatchObject({ count: 1, checked: SIZE, examples: [`${macAt(7)} holds "Other"`] });
    // Nothing more is written to the pool. The policy of the load in other letters is its own.
    expect(noteOther(context, macAt(8), ' TEST')).toBe(false);
    expect(state.foreign).toBe(`${macAt(7)} holds "Other"`);
  });

  it('counts a clear whose endpoint is still listed as lost', async () => {
    const { state, context } = await applied({ names: true });
    for (let index = 0; index < 3; index += 1) state.set(index, 'nothing');
    expect(await reconcile(context, 20_000, 0)).toMatchObject({
      lost: { count: 3, examples: [`${macAt(0)} is still listed`, expect.anything(), expect.anything()] },
    });
  });

  it('waits for what comes late, and says how long it took', async () => {
    const { held, context } = await applied({ names: true });
    held.delete(macAt(9));
    const sleep = vi.fn(async () => void held.set(macAt(9), 'Test'));
    const found = await reconcile({ ...context, clock: { ...systemClock, sleep } }, 20_000, 5000);
    expect(found).toMatchObject({ lost: { count: 0 }, late: 1, visibleAfterMs: expect.any(Number) });
    expect(sleep).toHaveBeenCalledOnce();
  });

  it('leaves it at a sample where the list takes too many requests or shows no total, and says so', async () => {
    const { context } = await applied({ names: false });
    expect((await reconcile(context, 100, 0)).skipped).toMatch(
      /the list takes 606 requests, more than --reconcile-limit 100/,
    );
    const other = await applied({ names: true, total: false });
    expect((await reconcile(other.context, 20_000, 0)).skipped).toMatch(/no total/);
  });
});

describe('a list that takes too many requests to walk', () => {
  const MANY = 3000;
  const counted = (shape: AncStubOptions = { startsWith: 'what begins so' }) => applied(shape, MANY);

  it('is counted by beginnings of addresses: 5 of 5 lost endpoints within the limit', async () => {
    const { held, context, sent } = await counted();
    for (let at = 0; at < 5; at += 1) held.delete(macAt(at * 557));
    const found = await reconcile(context, 2000, 0);
    expect(found).toMatchObject({ method: 'counts', acknowledged: MANY, listed: MANY - 5, lost: { count: 5 } });
    expect(found.lost?.examples).toContain(`${macAt(557)} is not listed`);
    expect(sent()).toBeLessThan(2000);
  });

  it('tells what others hold and what was not acknowledged apart from what is lost', async () => {
    const { held, state, context } = await counted();
    for (const index of [4, 5, 6]) state.set(index, 'unknown');
    held.delete(macAt(6));
    held.set(macAt(MANY + 1), 'Theirs');
    held.set('0A:0B:0C:0D:0E:0F', 'Theirs');
    state.set(100, 'nothing');
    const found = await reconcile(context, 2000, 0);
    expect(found).toMatchObject({ lost: { count: 1 }, unacknowledged: { count: 2 }, foreign: { count: 2 } });
    expect(found.lost?.examples).toEqual([`${macAt(100)} is still listed`]);
  });

  it.each([
    ['is ignored', {}, 'does not add up'],
    ['finds nothing', { startsWith: 'nothing' }, 'does not find endpoints that EQ finds'],
  ] as const)('is left at a sample where the filter %s', async (_, shape, why) => {
    const { context } = await counted(shape);
    const found = await reconcile(context, 2000, 0);
    expect(found.lost).toBeUndefined();
    expect(found.skipped).toMatch(new RegExp(`the list takes 3030 requests, .*${why}`));
  });

  it('is left at a sample where there is too much to count', async () => {
    const { held, context } = await counted();
    for (let index = 0; index < MANY; index += 2) held.delete(macAt(index));
    expect((await reconcile(context, 600, 0)).skipped).toMatch(/counting takes more than --reconcile-limit 600/);
  });
});
