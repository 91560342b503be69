import type { Deviation } from '../deviation.ts';
import type { MaybePromise } from '../seams.ts';
import { frontFault, RESET, refusal, type Scope } from './fault.ts';

const RETRY_AFTER_SECONDS = '1';

/** Each request waits this long before it is worked on. */
export function latencyFault(id: string, scope: Scope, delayMs: number): Deviation {
  return frontFault(id, `latency of ${delayMs} ms`, scope, (kit) => async (_call, next) => {
    await kit.wait(delayMs);
    return next();
  });
}

/** A standard normal number from two uniform ones (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Each request waits for a time drawn from a lognormal distribution with this median and sigma. */
export function lognormalFault(id: string, scope: Scope, medianMs: number, sigma: number): Deviation {
  return frontFault(id, `lognormal latency around ${medianMs} ms`, scope, (kit) => async (_call, next) => {
    await kit.wait(medianMs * Math.exp(sigma * normal(kit.random)));
    return next();
  });
}

/** Every ANC request of one window waits until its end; the window is counted from the first ANC request. */
export function stallFault(id: string, lengthMs: number, afterMs: number): Deviation {
  return frontFault(id, `a stall of ${lengthMs} ms after ${afterMs} ms of ANC requests`, 'anc', (kit) => {
    let first: number | undefined;
    return async (_call, next) => {
      const now = performance.now();
      first ??= now;
      const left = first + afterMs + lengthMs - now;
      if (now - first >= afterMs && left > 0) await kit.wait(left);
      return next();
    };
  });
}

/** A share of the requests is answered 500 and not worked on. */
export function errorFault(id: string, scope: Scope, share: number): Deviation {
  return frontFault(
    id,
    `${share * 100} % of requests answered 500`,
    scope,
    (kit) => (call, next) => (kit.random() < share ? refusal(kit, call, 500, 'Seeded internal fault') : next()),
  );
}

/** A share of the requests is told to come back later (C17). */
export function statusFault(id: string, scope: Scope, status: number, share: number): Deviation {
  return frontFault(
    id,
    `${share * 100} % of requests answered ${status}`,
    scope,
    (kit) => (call, next) =>
      kit.random() < share
        ? refusal(kit, call, status, 'Too busy: try again', { 'Retry-After': RETRY_AFTER_SECONDS })
        : next(),
  );
}

/** A share of the requests loses its connection without an answer. */
export function resetFault(id: string, scope: Scope, share: number): Deviation {
  return frontFault(
    id,
    `${share * 100} % of requests lose their connection`,
    scope,
    (kit) => (_call, next) => (kit.random() < share ? RESET : next()),
  );
}

/** Every request of one method is refused and not worked on: a deployment that takes no writes, or keeps what it has. */
export function refuseFault(id: string, scope: Scope, method: string, status: number): Deviation {
  return frontFault(
    id,
    `${method} answered ${status}`,
    scope,
    (kit) => (call, next) =>
      call.request.method === method ? refusal(kit, call, status, `${method} is not allowed`) : next(),
  );
}

/** Every request of one operation is refused and not worked on, in one family or in all. */
export function refuseOpFault(id: string, family: string | undefined, op: string, status: number): Deviation {
  return frontFault(id, `${op} of ${family ?? 'every family'} answered ${status}`, 'all', (kit) => (call, next) => {
    const isStruck = call.route?.op === op && (family === undefined || call.route.family === family);
    return isStruck ? refusal(kit, call, status, `${op} is refused`) : next();
  });
}

/** A share of the apply and clear requests answer success and store nothing. */
export function noStoreFault(id: string, share: number): Deviation {
  return {
    id,
    title: `${share * 100} % of apply and clear requests store nothing`,
    install: (kit) => {
      const lost = () => kit.random() < share;
      return {
        anc: (inner) => ({
          apply: (targets) => (lost() ? undefined : inner.apply(targets)),
          clear: (targets) => (lost() ? undefined : inner.clear(targets)),
        }),
      };
    },
  };
}

/**
 * Apply and clear of one window answer success at once and take effect at its end; what is wrong with them then, nobody is told. The
 * window is counted from the first of them.
 */
export function lateStoreFault(id: string, lengthMs: number, afterMs: number): Deviation {
  return {
    id,
    title: `apply and clear take effect only at the end of a window of ${lengthMs} ms after ${afterMs} ms`,
    install: (kit) => {
      let first: number | undefined;
      const maybeLater = (work: () => MaybePromise<void>) => {
        const now = performance.now();
        first ??= now;
        const leftMs = first + afterMs + lengthMs - now;
        if (now - first < afterMs || leftMs <= 0) return work();
        void kit
          .wait(leftMs)
          .then(work)
          .catch(() => undefined);
        return undefined;
      };
      return {
        anc: (inner) => ({
          apply: (targets) => maybeLater(() => inner.apply(targets)),
          clear: (targets) => maybeLater(() => inner.clear(targets)),
        }),
      };
    },
  };
}

/** Requests of these ANC operations queue for tokens that come at a fixed rate, one at a time: no burst. */
export function rateFault(id: string, perSecond: number, ops: readonly string[]): Deviation {
  return frontFault(id, `at most ${perSecond} requests per second of ${ops.join(' and ')}`, 'anc', (kit) => {
    const intervalMs = 1000 / perSecond;
    let nextFree = 0;
    return async (call, next) => {
      if (!ops.includes(call.route?.op ?? '')) return next();
      const now = performance.now();
      const turn = Math.max(now, nextFree);
      nextFree = turn + intervalMs;
      if (turn > now) await kit.wait(turn - now);
      return next();
    };
  });
}
