import { describe, expect, it } from 'vitest';
import { unsteadyMs } from '../../../../conformance/dialect/trial/trial.ts';
import type { CheckContext } from '../../../../conformance/kit/check.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

/** Asks a simulated target, at which each read takes 2 ms; `shows`: whether the n-th read, so many milliseconds after the write, shows it. */
async function ask(shows: (nowMs: number, read: number) => boolean) {
  let [nowMs, read] = [0, 0];
  const look = async () => {
    nowMs += 2;
    read += 1;
    return { status: shows(nowMs, read) ? 200 : 404 };
  };
  const clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  const eventually: CheckContext['eventually'] = async (once) => {
    for (; nowMs < 2000; nowMs += 20) {
      const value = await once();
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const context = { send: look, eventually, family: FAMILIES.sgt } as unknown as CheckContext;
  const waitMs = await unsteadyMs({ context, clock, visibilityMs: 2000 }, { family: 'sgt', id: 'x' });
  return { waitMs, reads: read };
}

describe('how long looks at a write go back and forth', () => {
  it('is nothing where each look shows it, and costs few reads', async () => {
    expect(await ask(() => true)).toEqual({ waitMs: 0, reads: 9 });
  });

  it('is nothing where it shows late and stays, or never ceases: no wait mends that', async () => {
    expect((await ask((nowMs) => nowMs > 300)).waitMs).toBe(0);
    expect((await ask((_, read) => read % 2 === 0)).waitMs).toBe(0);
  });

  it.each([80, 250, 900])('covers the %s ms in which one of two nodes does not know of it', async (lateMs) => {
    const { waitMs } = await ask((nowMs, read) => nowMs > lateMs || read % 2 === 0);
    expect(waitMs).toBeGreaterThanOrEqual(lateMs);
    expect(waitMs).toBeLessThan(2 * lateMs);
  });
});
