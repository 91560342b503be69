import type { Clock } from '../../clock.ts';

/** Statuses of a target that takes so many in a second and no more (RFC 6585, 4). */
const TOO_MANY = 429;
const SECOND_MS = 1000;
/** Requests in a second that are always sent. */
const LEAST = 5;
/** What becomes of the rate when it was too high, and after each second in which it was not: at first it is sought. */
const FEWER = 0.8;
const MORE = 1.05;
const SOUGHT = 2;

/**
 * Spreads requests over time: at most `most` in a second, and no more than the target was found to take. Without a limit nothing waits until
 * the target answers 429: then as many as it had just taken in a second are sent, and more step by step.
 */
export function requestRate(most: number | undefined, clock: Clock) {
  const highest = most ?? Number.POSITIVE_INFINITY;
  const taken: number[] = [];
  let perSecond = highest;
  let isSought = true;
  let [nextMs, changedMs] = [0, Number.NEGATIVE_INFINITY];
  return {
    /** Waits for the turn of a request; throws the reason of the signal if it is over before. */
    async turn(signal?: AbortSignal): Promise<void> {
      if (perSecond === Number.POSITIVE_INFINITY) return;
      const now = clock.monotonicMs();
      const mine = Math.max(now, nextMs);
      nextMs = mine + SECOND_MS / perSecond;
      if (mine > now) await clock.sleep(mine - now, signal);
    },
    answered(status: number): void {
      const now = clock.monotonicMs();
      if (status !== TOO_MANY && perSecond === Number.POSITIVE_INFINITY) taken.push(now);
      while ((taken[0] ?? now) < now - SECOND_MS) taken.shift();
      // Those of one burst say the same once more.
      if (now - changedMs < SECOND_MS) return;
      if (status === TOO_MANY) {
        if (perSecond < highest) isSought = false;
        perSecond = Math.max(LEAST, Number.isFinite(perSecond) ? FEWER * perSecond : taken.length);
      } else if (perSecond < highest) perSecond = Math.min(highest, perSecond * (isSought ? SOUGHT : MORE));
      else return;
      changedMs = now;
    },
  };
}
