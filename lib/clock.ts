import { setTimeout as pause } from 'node:timers/promises';

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
    pause(ms, undefined, { signal }).catch((fault: unknown) => {
      throw signal?.aborted ? signal.reason : fault;
    }),
};

/**
 * Aborts after so many milliseconds with a `TimeoutError`, or with `signal`. Keeps no process alive.
 *
 * Not `AbortSignal.timeout`: one that only `AbortSignal.any` follows is collected as garbage, and never aborts (seen with Node 20.20).
 * Here the timer holds it.
 */
export function timeLimit(ms: number, signal?: AbortSignal): AbortSignal {
  const limit = new AbortController();
  const end = () => limit.abort(new DOMException(`not through after ${ms / 1000} s`, 'TimeoutError'));
  setTimeout(end, ms).unref();
  return signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
}
