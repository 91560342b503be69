import type { Clock } from '../../clock.ts';

/** Waits until the next start is due at `perSecond` starts a second; at once where there is no cap. */
export function rateLimiter(perSecond: number | undefined, clock: Clock): (signal?: AbortSignal) => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    if (perSecond === undefined) return;
    const now = clock.monotonicMs();
    const due = Math.max(now, nextMs);
    nextMs = due + 1000 / perSecond;
    if (due > now) await clock.sleep(due - now, signal);
  };
}
