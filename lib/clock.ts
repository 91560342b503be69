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
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
