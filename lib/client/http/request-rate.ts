import type { Clock } from '../../clock.ts';

/** Statuses of a target that takes so many in a second and no more (RFC 6585, 4). */
const TOO_MANY = 429;
const SECOND_MS = 1000;
/** Requests in a second that are always sent. */
const LEAST = 5;
/** Answers whose times are kept. */
const MOST_TIMES = 1000;
/** What becomes of the rate when it was too high, and when as many as it allows in a second were taken; larger steps until it turns for the first time. */
const FEWER = { first: 0.5, later: 0.8 };
const MORE = { first: 2, later: 1.05 };

/**
 * Spreads requests over time: at most `most` in a second, and no more than the target was found to take. Without a limit nothing waits until
 * the target answers 429: then as many as it had just taken in a second are sent, and more step by step.
 */
export function requestRate(most: number | undefined, clock: Clock) {
  const highest = most ?? Number.POSITIVE_INFINITY;
  const taken: number[] = [];
  let perSecond = highest;
  let isSought = true;
  let last: 'set' | 'lowered' | 'raised' = 'set';
  let [nextMs, loweredMs, inARow] = [0, Number.NEGATIVE_INFINITY, 0];
  const change = (to: 'lowered' | 'raised', { first, later }: typeof MORE) => {
    if (last !== 'set' && last !== to) isSought = false;
    perSecond = Math.min(highest, Math.max(LEAST, perSecond * (isSought ? first : later)));
    last = to;
    inARow = 0;
  };
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
      const isLimited = perSecond < Number.POSITIVE_INFINITY;
      if (status === TOO_MANY) {
        inARow = 0;
        // Those of one burst say the same once more.
        if (now - loweredMs < SECOND_MS) return;
        loweredMs = now;
        if (isLimited) change('lowered', FEWER);
        else perSecond = Math.max(LEAST, taken.filter((ms) => ms > now - SECOND_MS).length);
        return;
      }
      inARow += 1;
      if (isLimited && perSecond < highest && inARow >= perSecond) change('raised', MORE);
      if (isLimited) return;
      taken.push(now);
      if (taken.length > MOST_TIMES) taken.shift();
    },
  };
}
