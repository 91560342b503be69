import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { adaptivePace, type Ending, type Pace, requestRate } from '../../../../lib/client/http/pace.ts';

/** What a simulated target does with a request that comes when so many others are under way. */
type Serve = (at: { readonly nowMs: number; readonly among: number; readonly number: number }) => {
  readonly afterMs: number;
  readonly how: (tookMs: number) => Ending;
};

/** Sends requests one after the other to a simulated target, in its own time; gives the endings and the most at a time. */
async function simulate(pace: Pace, requests: number, serve: Serve) {
  const open: { readonly dueMs: number; readonly end: () => void }[] = [];
  const endings: Ending[] = [];
  let [nowMs, most, number] = [0, 0, 0];
  const all = Array.from({ length: requests }, () =>
    pace.slot(async () => {
      const begunMs = nowMs;
      const underWay = pace.sends('sgt read');
      const { afterMs, how } = serve({ nowMs, among: open.length, number: number++ });
      await new Promise<void>((resolve) => {
        open.push({ dueMs: begunMs + afterMs, end: resolve });
        most = Math.max(most, open.length);
      });
      const ending = how(nowMs - begunMs);
      endings.push(ending);
      underWay.ended(ending);
    }),
  );
  for (;;) {
    await setImmediate();
    open.sort((a, b) => b.dueMs - a.dueMs);
    const next = open.pop();
    if (next === undefined) break;
    nowMs = Math.max(nowMs, next.dueMs);
    next.end();
  }
  await Promise.all(all);
  return { endings, most, seconds: nowMs / 1000 };
}

const TOOK = (ms: number): Ending => ms;

/** A target that works off so many requests a second, one after the other. */
function worksOff(perSecond: number, timeoutMs = Number.POSITIVE_INFINITY): Serve {
  let freeMs = 0;
  return ({ nowMs }) => {
    freeMs = Math.max(freeMs, nowMs) + 1000 / perSecond;
    const waitMs = freeMs - nowMs;
    return { afterMs: Math.min(waitMs, timeoutMs), how: (took) => (took >= timeoutMs ? 'timeout' : took) };
  };
}

describe('the pace of a client', () => {
  it('uses all its connections on a target that answers fast, and none of the first ten waits', async () => {
    const pace = adaptivePace({ connections: 64, timeoutMs: 30_000 });
    expect(pace.atOnce()).toBe(10);
    const { most, seconds } = await simulate(pace, 2000, () => ({ afterMs: 20, how: TOOK }));
    expect(most).toBe(64);
    // 2 000 requests of 20 ms on 64 connections take 0.63 s.
    expect(seconds).toBeLessThan(0.75);
  });

  it.each([
    [100, 100, 1000],
    [100, 500, 2000],
    [20, 200, 2000],
    [5, 30, 30_000],
  ])(
    'lets no request time out where %i a second are worked off, on %i connections within %i ms',
    async (rate, connections, timeoutMs) => {
      const pace = adaptivePace({ connections, timeoutMs });
      const served = worksOff(rate, timeoutMs);
      const { endings, seconds } = await simulate(pace, 600, served);
      expect(endings.filter((how) => how === 'timeout')).toHaveLength(0);
      // No slower than the target works.
      expect(seconds).toBeLessThan((600 / rate) * 1.05);
    },
  );

  it('sends less when a target slows down, and as much as before when it has recovered', async () => {
    const pace = adaptivePace({ connections: 100, timeoutMs: 10_000 });
    await simulate(pace, 3000, () => ({ afterMs: 10, how: TOOK }));
    expect(pace.atOnce()).toBe(100);
    await simulate(pace, 400, worksOff(20));
    expect(pace.atOnce()).toBeLessThanOrEqual(50);
    await simulate(pace, 9000, () => ({ afterMs: 10, how: TOOK }));
    expect(pace.atOnce()).toBe(100);
  });

  it('is not slowed down by a kind of request that takes long by itself', async () => {
    const pace = adaptivePace({ connections: 10, timeoutMs: 30_000 });
    await simulate(pace, 200, () => ({ afterMs: 5000, how: TOOK }));
    expect(pace.atOnce()).toBe(10);
  });

  it('learns how many connections a target takes, and does not try more of them again and again', async () => {
    const pace = adaptivePace({ connections: 100, timeoutMs: 30_000 });
    const capped: Serve = ({ among }) => ({ afterMs: among < 30 ? 10 : 1, how: among < 30 ? TOOK : () => 'lost' });
    const first = await simulate(pace, 1000, capped);
    const then = await simulate(pace, 1000, capped);
    expect(pace.atOnce()).toBeLessThanOrEqual(30);
    expect(pace.atOnce()).toBeGreaterThanOrEqual(15);
    expect(then.endings.filter((how) => how === 'lost').length).toBeLessThan(5);
    expect(first.endings.filter((how) => how === 'lost').length).toBeLessThan(40);
  });

  it('goes on with all its connections where some are lost by chance', async () => {
    const pace = adaptivePace({ connections: 10, timeoutMs: 30_000 });
    let seed = 1;
    const chance = () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    const { seconds } = await simulate(pace, 5000, () => {
      const isLost = chance() < 0.01;
      return { afterMs: 10, how: isLost ? () => 'lost' : TOOK };
    });
    // Ten at a time would take 5 s.
    expect(seconds).toBeLessThan(10);
  });

  it('halves when the target asks for less, once for all that were under way, and keeps to a limit', async () => {
    const pace = adaptivePace({ connections: 10, timeoutMs: 30_000 });
    await simulate(pace, 10, () => ({ afterMs: 10, how: () => 'overloaded' }));
    expect(pace.atOnce()).toBe(5);
    pace.limit(3);
    await simulate(pace, 500, () => ({ afterMs: 10, how: TOOK }));
    expect(pace.atOnce()).toBe(3);
  });
});

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
