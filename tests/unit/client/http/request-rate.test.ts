import { describe, expect, it } from 'vitest';
import { requestRate } from '../../../../lib/client/http/pace.ts';

/** A clock whose sleeps are over at once. */
function aClock() {
  let ms = 0;
  return {
    now: () => new Date(ms),
    monotonicMs: () => ms,
    sleep: async (wait: number) => {
      ms += wait;
    },
    pass: (wait: number) => {
      ms += wait;
    },
  };
}

/** Sends requests one after the other to a target that takes so many in a second; gives the answers of each second. */
async function sendTo(perSecond: number, seconds: number) {
  const clock = aClock();
  const rate = requestRate(undefined, clock);
  const answers: { readonly atMs: number; readonly status: number }[] = [];
  let [tokens, filledMs] = [20, 0];
  while (clock.monotonicMs() < seconds * 1000) {
    await rate.turn();
    clock.pass(0.5);
    const now = clock.monotonicMs();
    tokens = Math.min(20, tokens + ((now - filledMs) * perSecond) / 1000);
    filledMs = now;
    const status = tokens >= 1 ? 204 : 429;
    if (status === 204) tokens -= 1;
    else clock.pass(1000);
    answers.push({ atMs: now, status });
    rate.answered(status);
  }
  const between = (from: number, to: number) =>
    answers.filter(({ atMs }) => atMs >= from * 1000 && atMs < to * 1000).map(({ status }) => status);
  return { all: answers.length, between };
}

describe('the rate of requests', () => {
  it('comes near to what a target takes, and mostly stays below', async () => {
    const { between } = await sendTo(180, 60);
    const late = between(30, 60);
    expect(late.filter((status) => status === 204).length / 30).toBeGreaterThan(120);
    expect(late.filter((status) => status === 429).length).toBeLessThan(10);
  });

  it('is not held back if the target takes all', async () => {
    const { all } = await sendTo(1e6, 2);
    expect(all).toBe(4000);
  });
});
