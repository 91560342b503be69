import { afterAll, describe, expect, it } from 'vitest';
import { endpointOf } from '../../../../load/endpoints/context.ts';
import { lookIntervalMs, watchPhase } from '../../../../load/endpoints/in-flight-read-back.ts';
import { aLoadContext, aPlan, pool } from '../../../helpers/a-load-context.ts';
import { type StubTarget, stubTarget } from '../../../helpers/stub-target.ts';

const targets: StubTarget[] = [];
afterAll(() => Promise.all(targets.map((target) => target.close())));

/** Tests that run side by side cannot say which of them a target is of. */
async function open(...given: Parameters<typeof stubTarget>): Promise<StubTarget> {
  const target = await stubTarget(...given);
  targets.push(target);
  return target;
}

/** A load whose answers a test gives by hand; `hides` keeps held endpoints from the filter. */
async function aWave(operation: 'apply' | 'clear', hides = false) {
  const made = await aLoadContext({ filterFinds: !hides }, aPlan({ ratePerSecond: 250, readBackGraceMs: 1000 }), open);
  const cell = made[operation];
  const macOf = (seq: number) => pool.at(endpointOf(cell)(seq)).macAddress;
  return { anc: made.anc, macOf, watch: watchPhase(made.context, cell), looks: () => made.target.seen.length };
}

// Each of them waits for the next look: a second.
describe.concurrent('looks at endpoints while the load runs', () => {
  it('prove those whose success was seen, each once, by few requests', async () => {
    const { anc, macOf, watch, looks } = await aWave('apply');
    let newest = -1;
    watch.follow(() => {
      newest += 1;
      anc.held.set(macOf(newest), 'Test');
      return Math.min(newest, 1);
    });
    await expect.poll(() => newest, { timeout: 8000 }).toBeGreaterThanOrEqual(3);
    expect(await watch.stop()).toEqual({ tried: 2, sampled: 2, proven: 2, late: 0, mismatches: [] });
    expect(looks()).toBe(4);
  });

  it.each([
    ['an apply that stored nothing', 'apply', 'holds nothing'],
    ['a clear that left the policy', 'clear', 'holds "Test"'],
  ] as const)('find %s, after a second look', async (_what, cell, words) => {
    const { anc, macOf, watch, looks } = await aWave(cell);
    if (cell === 'clear') anc.held.set(macOf(7), 'Test');
    watch.follow(() => 7);
    await expect.poll(looks, { timeout: 8000 }).toBeGreaterThan(0);
    const seen = await watch.stop();
    expect(seen).toMatchObject({ tried: 1, sampled: 1, proven: 0 });
    expect(seen.mismatches[0]).toMatch(`${macOf(7)} ${words} 1.`);
  });

  it('take an effect that comes within a second, and say so', async () => {
    const { anc, macOf, watch, looks } = await aWave('apply');
    watch.follow(() => 3);
    await expect.poll(looks, { timeout: 8000, interval: 5 }).toBe(1);
    anc.held.set(macOf(3), 'Test');
    expect(await watch.stop()).toMatchObject({ sampled: 1, proven: 1, late: 1, mismatches: [] });
  });

  it('accuse nobody where it is the list filter that does not find endpoints', async () => {
    const { anc, macOf, watch, looks } = await aWave('apply', true);
    anc.held.set(macOf(0), 'Test');
    watch.follow(() => 0);
    await expect.poll(looks, { timeout: 8000 }).toBeGreaterThan(0);
    expect(await watch.stop()).toMatchObject({
      ...{ tried: 1, sampled: 0, mismatches: [] },
      skipped: expect.stringContaining('filter'),
    });
  });

  it('are three in a hundred of the transactions at most', () => {
    const share = (rate: number) => 4 / ((lookIntervalMs(rate) / 1000) * rate);
    expect([5, 20, 100, 250, 5000].map((rate) => share(rate) <= 0.0301)).toEqual([true, true, true, true, true]);
    expect(lookIntervalMs(250)).toBe(1000);
  });
});
