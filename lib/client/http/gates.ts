import type { Clock } from '../../clock.ts';

/** Lets at most `limit` run at once, in the order they came. */
export function concurrencyGate(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Waits until the next start is due at `perSecond` starts a second; at once where there is no cap. */
export function rateGate(perSecond: number | undefined, clock: Clock): (signal?: AbortSignal) => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    if (perSecond === undefined) return;
    const now = clock.monotonicMs();
    const due = Math.max(now, nextMs);
    nextMs = due + 1000 / perSecond;
    if (due > now) await clock.sleep(due - now, signal);
  };
}
