import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import { TargetError } from '../../errors.ts';
import { present } from '../../present.ts';
import type { RequestSpec } from '../../wire/request.ts';
import type { ViewOptions } from '../types.ts';
import { LONGEST_WAIT_MS } from './retry-after.ts';

/** Failures in a row from which on others are asked, of requests that are known to fail while others do not. */
const IN_A_ROW = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_STEP_MS = 3000;

/** An answer that may come from a target which is down for any request, or no answer. */
export interface Failing {
  /** Its status; 0 if none came. */
  readonly status: number;
  /** What the target does: `answers 503 "Maintenance" to every request`. */
  readonly words: string;
  /** Milliseconds after which the target asks to come again, if it does. */
  readonly againMs: number | undefined;
}

export interface ServiceGateDeps {
  readonly clock: Clock;
  /** Resolves once every request under way has ended. */
  readonly quiet: () => Promise<unknown>;
  /** Sends a request that was answered well before, past this gate. */
  readonly probe: (request: RequestSpec, view: ViewOptions) => Promise<unknown>;
  readonly signalOf: (view: ViewOptions) => AbortSignal | undefined;
  readonly onWait: ((status: number, ms: number) => void) | undefined;
}

/**
 * Ends a run whose target answers nothing any more: after a failure, what was answered well before is asked again, one request of each family,
 * until one is answered. It is waited for as long as the target asks, up to 30 s; then every request is refused here.
 */
export function serviceGate({ clock, quiet, probe, signalOf, onWait }: ServiceGateDeps) {
  let state: 'up' | 'doubted' | 'gone' = 'up';
  let inARow = 0;
  let last: Failing = { status: 0, words: 'answers nothing', againMs: undefined };
  let goneMs = 0;
  let outages = 0;
  let isCleaning = false;
  /** A request of each family that was answered well. */
  const known = new Map<string, RequestSpec>();
  /** What failed alone, while others were answered. */
  const alone = new Set<string>();
  const suspects = new Set<string>();
  const inTurn = pLimit(1);
  const isDoubted = () => state === 'doubted';
  /** Of a target that never answered, what failed last is all that can be asked. */
  let failed: RequestSpec | undefined;
  const ask = async (view: ViewOptions, until: number) => {
    for (const request of known.size > 0 ? [...known.values()] : present(failed)) {
      try {
        await probe(request, view);
      } catch (fault) {
        if (!(fault instanceof TargetError) || fault.code === 'refused-login') throw fault;
      }
      if (!isDoubted() || clock.monotonicMs() > until) return;
    }
  };
  const settle = async (view: ViewOptions) => {
    await quiet();
    const until = clock.monotonicMs() + LONGEST_WAIT_MS;
    for (let stepMs = FIRST_WAIT_MS; isDoubted(); stepMs = Math.min(2 * stepMs, LONGEST_STEP_MS)) {
      await ask(view, until);
      if (!isDoubted()) return;
      if (stepMs === FIRST_WAIT_MS) outages += 1;
      // They have failed with all others, and not alone.
      suspects.clear();
      const waitMs = Math.max(stepMs, last.againMs ?? 0);
      if (clock.monotonicMs() + waitMs > until) {
        state = 'gone';
        goneMs = clock.monotonicMs();
        return;
      }
      onWait?.(last.status, waitMs);
      await clock.sleep(waitMs, signalOf(view));
    }
  };
  return {
    isOpen: () => state === 'up',
    /** How often nothing was answered, so that what failed meanwhile is worth another try. */
    outages: () => outages,
    /** The latest request of each family that was answered well. */
    known: (): readonly RequestSpec[] => [...known.values()],
    /** Takes in how a request ended; `failing` if the whole target may be down. */
    ended(request: RequestSpec, status: number, failing: Failing | undefined) {
      const { family, method } = request;
      if (failing === undefined) {
        if (method === 'GET' && status === 200) known.set(family, request);
        for (const each of suspects) alone.add(each);
        suspects.clear();
        inARow = 0;
        state = 'up';
        return;
      }
      const kind = `${family} ${failing.status}`;
      suspects.add(kind);
      inARow += 1;
      last = failing;
      if (method === 'GET') failed = request;
      // A connection may break for the number of them: one alone says nothing of the others.
      const isNew = failing.status > 0 && known.size > 0 && !alone.has(kind);
      if (state === 'up' && (isNew || inARow >= IN_A_ROW)) state = 'doubted';
    },
    /** Returns once the target answers; throws `TargetError` if it does not. The clean-up looks once more, and anybody after some time. */
    holds: (view: ViewOptions) =>
      inTurn(async () => {
        const isFirst = view.signal === 'ignored' && !isCleaning;
        if (state === 'gone' && (isFirst || clock.monotonicMs() - goneMs > LONGEST_WAIT_MS)) state = 'doubted';
        if (view.signal === 'ignored') isCleaning = true;
        await settle(view);
        if (state !== 'gone') return;
        const { words, againMs } = last;
        const again = againMs === undefined ? '' : `; try again after ${Math.ceil(againMs / 1000)} s`;
        throw new TargetError('out-of-service', `the target ${words}${again}`, {
          hint: 'nothing more was sent: find out why it is down, and run again when it answers',
        });
      }),
  };
}
