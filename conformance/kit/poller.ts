import type { Clock } from '../../lib/clock.ts';
import type { CheckContext } from './check.ts';

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 400;

const nextWait = (wait: number) => Math.min(wait * 2, LONGEST_WAIT_MS);

/** Polls with growing waits, 20 ms the first unless told, until the value is defined, or a look that was begun at the end of the window showed none. */
export const poller =
  ({
    clock,
    visibilityMs,
    signal,
  }: {
    readonly clock: Clock;
    readonly visibilityMs: number;
    readonly signal: AbortSignal;
  }): CheckContext['eventually'] =>
  async (look, firstWaitMs = FIRST_WAIT_MS) => {
    const end = clock.monotonicMs() + visibilityMs;
    for (let wait = firstWaitMs; ; wait = nextWait(wait)) {
      const begun = clock.monotonicMs();
      const value = await look();
      // One that was sent before it may have come back long after it.
      if (value !== undefined || begun > end - 1) return value;
      await clock.sleep(Math.max(0, Math.min(wait, end - clock.monotonicMs())), signal);
    }
  };

/** Polls until it holds; false if it does not come to. */
export const until = async (
  { eventually }: Pick<CheckContext, 'eventually'>,
  holds: () => Promise<boolean>,
): Promise<boolean> => (await eventually(async () => (await holds()) || undefined)) === true;

/** Milliseconds that a poll has waited, at least, when it looked for the n-th time. */
export function waitedMs(looks: number): number {
  let total = 0;
  for (let look = 1, wait = FIRST_WAIT_MS; look < looks; look += 1, wait = nextWait(wait)) total += wait;
  return total;
}

/** What a look gives, and the milliseconds that it took to; 0 if it never gave anything, which is no delay. */
export async function waited<T>({ eventually }: Pick<CheckContext, 'eventually'>, look: () => Promise<T | undefined>) {
  let looks = 0;
  const value = await eventually(() => {
    looks += 1;
    return look();
  });
  return [value, value === undefined ? 0 : waitedMs(looks)] as const;
}
