import type { Deviation } from '../deviation.ts';
import { wrap } from '../seams.ts';
import { sinceFirst, turnsOf, waitingFault } from './fault.ts';

/** An arrival after so long without one begins a new load. */
const PAUSE_MS = 500;
/** Warm-up and measured time of a cell of depth quick: what a time before its end is counted from. */
const QUICK_CELL_MS = 12_000;
/** A lost endpoint is stored at first, so that nothing is wrong with it at once. */
const LOST_AFTER_MS = 300;

/** ANC requests take a token each: as many as the bucket holds at once, then they queue for what is refilled. */
export const bucketFault = (id: string, perSecond: number, size: number): Deviation =>
  waitingFault(id, `a bucket of ${size} tokens, refilled with ${perSecond} per second`, 'anc', (kit) =>
    turnsOf(kit, perSecond, size),
  );

/** ANC requests of a window that comes again and again wait until its end; counted from the first of them. */
export const repeatedStallFault = (id: string, lengthMs: number, everyMs: number): Deviation =>
  waitingFault(id, `a stall of ${lengthMs} ms every ${everyMs} ms of ANC requests`, 'anc', ({ wait }) => {
    const since = sinceFirst();
    return async () => {
      const passedMs = since();
      const within = passedMs % everyMs;
      if (passedMs >= everyMs && within < lengthMs) await wait(lengthMs - within);
    };
  });

/** From a moment of each load on, ANC requests queue for a rate; `fromMs` below 0 counts back from the end of a quick cell. */
export function collapseFault(id: string, perSecond: number, fromMs: number): Deviation {
  const startMs = fromMs < 0 ? QUICK_CELL_MS + fromMs : fromMs;
  const title = `at most ${perSecond} ANC requests per second from ${startMs} ms of a load on`;
  return waitingFault(id, title, 'anc', (kit) => {
    const turn = turnsOf(kit, perSecond);
    let [begun, last] = [0, Number.NEGATIVE_INFINITY];
    return () => {
      const now = performance.now();
      if (now - last > PAUSE_MS) begun = now;
      last = now;
      return now - begun < startMs ? undefined : turn();
    };
  });
}

/** A share of the applied policies is stored, and gone a little later. */
export function lostFault(id: string, share: number): Deviation {
  return {
    id,
    title: `${share * 100} % of applied policies are lost after ${LOST_AFTER_MS} ms`,
    install: wrap('anc', (inner, kit) => ({
      apply: async (targets) => {
        await inner.apply(targets);
        if (kit.random() >= share) return;
        void kit
          .wait(LOST_AFTER_MS)
          .then(() => inner.clear(targets))
          .catch(() => undefined);
      },
    })),
  };
}
