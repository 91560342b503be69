import { OPS } from '../../lib/contract/operations.ts';
import { Problem } from '../answers/problem.ts';
import { refuse } from '../answers/responder.ts';
import { changing, type Deviation } from '../deviation.ts';
import type { Answer, Call } from '../http/wire.ts';
import type { Kit, MaybePromise } from '../seams.ts';

/** Requests that a fault strikes: all, apply and clear, or all but these. */
export type Scope = 'all' | 'anc' | 'others';

type Strike = (call: Call, next: () => MaybePromise<Answer>) => MaybePromise<Answer>;

/** A fault that stands before the deployment: it may wait, answer by itself, or let the request pass. */
function striking(scope: Scope, make: (kit: Kit) => Strike): Deviation {
  const isAnc = ({ route }: Call) => route !== undefined && OPS[route.op].body === 'anc';
  return changing('front', ({ handle }, kit) => {
    const strike = make(kit);
    const isStruck = (call: Call) => scope === 'all' || isAnc(call) === (scope === 'anc');
    return { handle: (call) => (isStruck(call) ? strike(call, () => handle(call)) : handle(call)) };
  });
}

export const waiting = (scope: Scope, make: (kit: Kit) => (call: Call) => MaybePromise<void>): Deviation =>
  striking(scope, (kit) => {
    const turn = make(kit);
    return async (call, next) => {
      await turn(call);
      return next();
    };
  });

/** A fault that answers some requests by itself, without working on them. */
export const answering = (
  scope: Scope,
  isStruck: (call: Call, kit: Kit) => boolean,
  answer: (call: Call, kit: Kit) => Answer,
): Deviation => striking(scope, (kit) => (call, next) => (isStruck(call, kit) ? answer(call, kit) : next()));

/** Milliseconds since it was asked first. */
export function sinceFirst(): () => number {
  let first: number | undefined;
  return () => {
    const now = performance.now();
    first ??= now;
    return now - first;
  };
}

/** Turns that come at a rate, waited for one after the other; so many may be had at once after a pause. */
export function turnsOf({ wait }: Kit, perSecond: number, burst = 1): () => Promise<void> {
  const intervalMs = 1000 / perSecond;
  let spentUntil = 0;
  return async () => {
    const now = performance.now();
    spentUntil = Math.max(now, spentUntil) + intervalMs;
    const waitMs = spentUntil - now - burst * intervalMs;
    if (waitMs > 0) await wait(waitMs);
  };
}

export const refusing =
  (status: number, title: string, headers: Record<string, string> = {}) =>
  (call: Call, kit: Kit): Answer => {
    const problem = new Problem(status, status === 429 || status === 503 ? 'busy' : 'internal', title, { headers });
    return refuse(kit, call, problem);
  };
