import { setTimeout } from 'node:timers/promises';

/** Time as an effect: passed in, so that records can be reproduced. */
export interface Clock {
  /** Wall clock, ISO 8601 in UTC. */
  readonly now: () => Date;
  /** Monotonic milliseconds from an arbitrary origin. */
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    // What it rejects with is the signal's own reason, as everywhere else.
    setTimeout(ms, undefined, { signal }).catch((fault: unknown) => {
      throw signal?.aborted ? signal.reason : fault;
    }),
};
