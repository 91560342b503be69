import type { Deviation } from '../deviation.ts';
import { type MaybePromise, wrap } from '../seams.ts';
import { answeringFault, drawn, RESET, refusing, type Scope, sinceFirst, turnsOf, waitingFault } from './fault.ts';

const RETRY_AFTER_SECONDS = '1';

/** Each request waits this long before it is worked on. */
export const latencyFault = (id: string, scope: Scope, delayMs: number): Deviation =>
  waitingFault(
    id,
    `latency of ${delayMs} ms`,
    scope,
    ({ wait }) =>
      () =>
        wait(delayMs),
  );

/** A standard normal number from two uniform ones (Box and Muller). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Each request waits for a time drawn from a lognormal distribution with this median and sigma. */
export const lognormalFault = (id: string, scope: Scope, medianMs: number, sigma: number): Deviation =>
  waitingFault(
    id,
    `lognormal latency around ${medianMs} ms`,
    scope,
    ({ wait, random }) =>
      () =>
        wait(medianMs * Math.exp(sigma * normal(random))),
  );

/** Every ANC request of one window waits until its end; the window is counted from the first ANC request. */
export const stallFault = (id: string, lengthMs: number, afterMs: number): Deviation =>
  waitingFault(id, `a stall of ${lengthMs} ms after ${afterMs} ms of ANC requests`, 'anc', ({ wait }) => {
    const since = sinceFirst();
    return async () => {
      const passedMs = since();
      if (passedMs >= afterMs && passedMs < afterMs + lengthMs) await wait(afterMs + lengthMs - passedMs);
    };
  });

/** A share of the requests is answered 500 and not worked on. */
export const errorFault = (id: string, scope: Scope, share: number): Deviation =>
  answeringFault(
    id,
    `${share * 100} % of requests answered 500`,
    scope,
    drawn(share),
    refusing(500, 'Seeded internal fault'),
  );

/** A share of the requests is told to come back later (C17). */
export function statusFault(id: string, scope: Scope, status: number, share: number): Deviation {
  const answer = refusing(status, 'Too busy: try again', { 'Retry-After': RETRY_AFTER_SECONDS });
  return answeringFault(id, `${share * 100} % of requests answered ${status}`, scope, drawn(share), answer);
}

/** A share of the requests loses its connection without an answer. */
export const resetFault = (id: string, scope: Scope, share: number): Deviation =>
  answeringFault(id, `${share * 100} % of requests lose their connection`, scope, drawn(share), () => RESET);

/** Every request of one method is refused and not worked on: a deployment that takes no writes, or keeps what it has. */
export function refuseFault(id: string, scope: Scope, method: string, status: number): Deviation {
  const answer = refusing(status, `${method} is not allowed`);
  return answeringFault(id, `${method} answered ${status}`, scope, ({ request }) => request.method === method, answer);
}

/** Every request of one operation is refused and not worked on, in one family or in all. */
export function refuseOpFault(id: string, family: string | undefined, op: string, status: number): Deviation {
  const title = `${op} of ${family ?? 'every family'} answered ${status}`;
  const isStruck: Parameters<typeof answeringFault>[3] = ({ route }) =>
    route?.op === op && (family === undefined || route.family === family);
  return answeringFault(id, title, 'all', isStruck, refusing(status, `${op} is refused`));
}

/** A share of the apply and clear requests answer success and store nothing. */
export function noStoreFault(id: string, share: number): Deviation {
  const install = wrap('anc', ({ apply, clear }, { random }) => ({
    apply: (targets) => (random() < share ? undefined : apply(targets)),
    clear: (targets) => (random() < share ? undefined : clear(targets)),
  }));
  return { id, title: `${share * 100} % of apply and clear requests store nothing`, install };
}

/**
 * Apply and clear of one window answer success at once and take effect at its end; what is wrong with them then, nobody is told. The
 * window is counted from the first of them.
 */
export function lateStoreFault(id: string, lengthMs: number, afterMs: number): Deviation {
  const install = wrap('anc', ({ apply, clear }, { wait }) => {
    const since = sinceFirst();
    const maybeLater = (work: () => MaybePromise<void>) => {
      const passedMs = since();
      const leftMs = afterMs + lengthMs - passedMs;
      if (passedMs < afterMs || leftMs <= 0) return work();
      void wait(leftMs)
        .then(work)
        .catch(() => undefined);
      return undefined;
    };
    return {
      apply: (targets) => maybeLater(() => apply(targets)),
      clear: (targets) => maybeLater(() => clear(targets)),
    };
  });
  const title = `apply and clear take effect only at the end of a window of ${lengthMs} ms after ${afterMs} ms`;
  return { id, title, install };
}

/** Requests of these ANC operations queue for tokens that come at a fixed rate, one at a time: no burst. */
export const rateFault = (id: string, perSecond: number, ops: readonly string[]): Deviation =>
  waitingFault(id, `at most ${perSecond} requests per second of ${ops.join(' and ')}`, 'anc', (kit) => {
    const turn = turnsOf(kit, perSecond);
    return ({ route }) => (ops.includes(route?.op ?? '') ? turn() : undefined);
  });
