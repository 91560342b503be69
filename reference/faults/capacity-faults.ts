import type { Deviation } from '../deviation.ts';
import { frontFault } from './fault.ts';

/** An arrival after so long without one begins a new load. */
const PAUSE_MS = 500;
/** Warm-up and measured time of a cell of depth quick: what a time before its end is counted from. */
const QUICK_CELL_MS = 12_000;
/** A lost endpoint is stored at first, so that nothing is wrong with it at once. */
const LOST_AFTER_MS = 300;

/** ANC requests take a token each: as many as the bucket holds at once, then they queue for what is refilled. */
export function bucketFault(id: string, perSecond: number, size: number): Deviation {
  return frontFault(id, `a bucket of ${size} tokens, refilled with ${perSecond} per second`, 'anc', (kit) => {
    const intervalMs = 1000 / perSecond;
    let spentUntil = 0;
    return async (_call, next) => {
      const now = performance.now();
      spentUntil = Math.max(now, spentUntil) + intervalMs;
      const waitMs = spentUntil - now - size * intervalMs;
      if (waitMs > 0) await kit.wait(waitMs);
      return next();
    };
  });
}

/** ANC requests of a window that comes again and again wait until its end; counted from the first of them. */
export function repeatedStallFault(id: string, lengthMs: number, everyMs: number): Deviation {
  return frontFault(id, `a stall of ${lengthMs} ms every ${everyMs} ms of ANC requests`, 'anc', (kit) => {
    let first: number | undefined;
    return async (_call, next) => {
      const now = performance.now();
      first ??= now;
      const since = now - first;
      const within = since % everyMs;
      if (since >= everyMs && within < lengthMs) await kit.wait(lengthMs - within);
      return next();
    };
  });
}

/** From a moment of each load on, ANC requests queue for a rate; `fromMs` below 0 counts back from the end of a quick cell. */
export function collapseFault(id: string, perSecond: number, fromMs: number): Deviation {
  const startMs = fromMs < 0 ? QUICK_CELL_MS + fromMs : fromMs;
  return frontFault(
    id,
    `at most ${perSecond} ANC requests per second from ${startMs} ms of a load on`,
    'anc',
    (kit) => {
      let [begun, last, nextFree] = [0, Number.NEGATIVE_INFINITY, 0];
      return async (_call, next) => {
        const now = performance.now();
        if (now - last > PAUSE_MS) begun = now;
        last = now;
        if (now - begun < startMs) return next();
        const turn = Math.max(now, nextFree);
        nextFree = turn + 1000 / perSecond;
        if (turn > now) await kit.wait(turn - now);
        return next();
      };
    },
  );
}

/** A share of the applied policies is stored, and gone a little later. */
export function lostFault(id: string, share: number): Deviation {
  return {
    id,
    title: `${share * 100} % of applied policies are lost after ${LOST_AFTER_MS} ms`,
    install: (kit) => ({
      anc: (inner) => ({
        clear: (targets) => inner.clear(targets),
        apply: async (targets) => {
          await inner.apply(targets);
          if (kit.random() >= share) return;
          void kit
            .wait(LOST_AFTER_MS)
            .then(() => inner.clear(targets))
            .catch(() => undefined);
        },
      }),
    }),
  };
}
