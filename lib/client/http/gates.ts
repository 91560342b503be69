import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import { TargetError } from '../../errors.ts';
import { present } from '../../present.ts';
import type { RequestSpec } from '../../wire/request.ts';
import type { ViewOptions } from '../types.ts';
import { LONGEST_WAIT_MS, type Poor } from './poor-answer.ts';

/** Refusals of a login that was taken before, after which no further one is looked into. */
const MOST_DOUBTS = 20;
/** Good answers that make up for one of them. */
const ANSWERS_PER_DOUBT = 20;

/**
 * Keeps a wrong password from being sent twice. A login that was taken before is in doubt after a 401, as if a session has ended:
 * what is under way shows whether it still holds, or one request alone. `quiet` resolves once nothing is under way.
 */
export function loginGate(quiet: () => Promise<unknown>) {
  let state: 'unproven' | 'proven' | 'doubted' | 'refused' = 'unproven';
  let wasTaken = false;
  let doubts = 0;
  let inARow = 0;
  let said = '401';
  const alone = pLimit(1);
  const denied = new Set<string>();
  const kindOf = ({ family, op }: RequestSpec) => `${family} ${op}`;
  return {
    isOpen: () => state !== 'doubted',
    /** True for a request of a kind that was refused twice while the login held: the account lacks the right to it. */
    isDenied: (request: RequestSpec) => denied.has(kindOf(request)),
    deny: (request: RequestSpec) => void denied.add(kindOf(request)),
    /** Throws `TargetError` once the login was refused. */
    check() {
      if (state !== 'refused') return;
      if (wasTaken)
        throw new TargetError(
          'refused-login',
          `the target refused the login with ${said}, although it had taken it before; nothing more was sent`,
          { hint: 'the account may be locked, or its password or session expired: ask whoever runs the target' },
        );
      throw new TargetError('refused-login', `the target refused the login with ${said}; nothing more was sent`, {
        hint: 'check user name, password and role; only one attempt was made, because accounts are locked after a few',
      });
    },
    /** Takes in the status of an answer to our login, and its words if refused. `isProof`: the request was to show if it still holds; `inSession`: it carried cookies. */
    answered(request: RequestSpec, status: number, words: () => string, isProof = false, inSession = false) {
      if (status !== 401) denied.delete(kindOf(request));
      if (state === 'refused' || denied.has(kindOf(request))) return;
      if (status === 401) said = `${words()} to ${request.method} ${request.path}`;
      // A session ends for all that are under way in it.
      inARow = status === 401 ? inARow + Number(inARow === 0 || !inSession) : 0;
      if (status === 401 && (state === 'unproven' || isProof)) state = 'refused';
      else if (status === 401 && state === 'proven') {
        wasTaken = true;
        doubts += 1;
        state = doubts > MOST_DOUBTS ? 'refused' : 'doubted';
      } else if (status !== 401) {
        doubts = Math.max(0, doubts - 1 / ANSWERS_PER_DOUBT);
        if (state === 'unproven' || isProof) state = 'proven';
      }
    },
    /** Lets one request through alone until the login has been answered. */
    async pass<T>(work: () => Promise<T>): Promise<T> {
      if (state !== 'unproven') return work();
      const first = await alone(async () => (state === 'unproven' ? { value: await work() } : null));
      return first === null ? work() : first.value;
    },
    /** Sends the proof alone if the login is in doubt. True if the login holds; one that nothing proves is refused. */
    holds: (proof: () => Promise<unknown>): Promise<boolean> =>
      alone(async () => {
        if (state === 'doubted') await quiet();
        // Whoever asks on where several were refused locks the account; what was under way may have been taken since.
        if (state === 'doubted' && inARow <= 1) await proof();
        if (state === 'doubted') state = 'refused';
        return state === 'proven';
      }),
  };
}

/** Faults in a row from which on others are asked, of requests that are known to fail while others do not. */
const FAULTS_IN_A_ROW = 5;
/** Answers in a row without a success, whatever they were, after which the same is asked. */
const POOR_IN_A_ROW = 20;
/** Requests that are asked again after a wait: with the first ones, all others come back. */
const ASKED_AGAIN = 4;
/** Status of a server that fails in its own way, and does not say for how long (RFC 9110, 15.6.1). */
const INTERNAL = 500;
const FIRST_WAIT_MS = 1000;
const LONGEST_STEP_MS = 3000;

interface ServiceGateDeps {
  readonly clock: Clock;
  readonly quiet: () => Promise<unknown>;
  readonly probe: (request: RequestSpec, view: ViewOptions) => Promise<unknown>;
  readonly signalOf: (view: ViewOptions) => AbortSignal | undefined;
  readonly onWait: ((status: number, ms: number) => void) | undefined;
}

/**
 * Ends a run whose target answers nothing any more as it did: after a fault, or many answers without a success, what was answered well
 * before is asked again, for as long as the target asks, up to 30 s, until one is answered; then every request is refused here.
 */
export function serviceGate({ clock, quiet, probe, signalOf, onWait }: ServiceGateDeps) {
  let state: 'up' | 'doubted' | 'gone' = 'up';
  let inARow = 0;
  let last: Poor = { status: 0, isFault: true, words: () => 'answers nothing', againMs: undefined };
  let goneMs = 0;
  let outages = 0;
  let isCleaning = false;
  /** Of each family the first list that was answered well, which asks for least, and the latest read: its record may still be there. */
  const lists = new Map<string, RequestSpec>();
  const reads = new Map<string, RequestSpec>();
  const known = (): readonly RequestSpec[] => [...lists.values(), ...reads.values()];
  /** Reads alone do not tell whether an answer such as 404 is right: their records may have been removed since. */
  const isTold = () => lists.size > 0;
  const alone = new Set<string>();
  const suspects = new Set<string>();
  const inTurn = pLimit(1);
  const isDoubted = () => state === 'doubted';
  /** Of a target that never answered, what failed last is all that can be asked. */
  let failed: RequestSpec | undefined;
  const ask = async (view: ViewOptions, until: number, most?: number) => {
    for (const request of (known().length > 0 ? known() : present(failed)).slice(0, most)) {
      try {
        await probe(request, view);
      } catch (fault) {
        if (!(fault instanceof TargetError) || fault.code === 'refused-login') throw fault;
      }
      if (!isDoubted() || clock.monotonicMs() > until) return;
    }
  };
  const settle = async (view: ViewOptions, wasGone: boolean) => {
    const wasDoubted = isDoubted();
    await quiet();
    // What was answered well just now may have been sent while the target was still there.
    if (wasDoubted) state = 'doubted';
    const until = clock.monotonicMs() + LONGEST_WAIT_MS;
    for (let stepMs = FIRST_WAIT_MS; isDoubted(); stepMs = Math.min(2 * stepMs, LONGEST_STEP_MS)) {
      const isFirst = stepMs === FIRST_WAIT_MS;
      await ask(view, until, isFirst && !wasGone ? undefined : ASKED_AGAIN);
      if (!isDoubted()) return;
      if (isFirst) outages += 1;
      // They have failed with all others, and not alone.
      suspects.clear();
      const waitMs = Math.max(stepMs, last.againMs ?? 0);
      // The question itself took some of the time.
      if (clock.monotonicMs() + waitMs > until + FIRST_WAIT_MS) {
        state = 'gone';
        goneMs = clock.monotonicMs();
        return;
      }
      onWait?.(last.status, waitMs);
      await clock.sleep(waitMs, signalOf(view));
    }
  };
  /** Returns once the target answers; throws `TargetError` if it does not. The clean-up looks once more, and anybody after some time. */
  const holds = (view: ViewOptions) =>
    inTurn(async () => {
      const isFirst = view.signal === 'ignored' && !isCleaning;
      const wasGone = state === 'gone';
      if (wasGone && (isFirst || clock.monotonicMs() - goneMs > LONGEST_WAIT_MS)) state = 'doubted';
      if (view.signal === 'ignored') isCleaning = true;
      await settle(view, wasGone);
      if (state !== 'gone') return;
      const { words, againMs, status } = last;
      const cure = status === 429 ? 'send fewer requests with --max-rps' : 'find out why';
      const again = againMs === undefined ? '' : `; try again after ${Math.ceil(againMs / 1000)} s`;
      throw new TargetError('out-of-service', `the target ${words()}${again}`, {
        hint: `nothing more was sent: ${cure}, and run again when it takes them`,
      });
    });
  return {
    holds,
    isOpen: () => state === 'up',
    outages: () => outages,
    known,
    /** Asks what was answered before, unless the last answer was well; returns and throws as `holds` does. */
    async proves(view: ViewOptions): Promise<void> {
      if (state === 'up' && inARow > 0 && isTold()) state = 'doubted';
      if (state !== 'up') await holds(view);
    },
    /** Takes in how a request ended; `poor` unless it was answered well. */
    ended(request: RequestSpec, poor: Poor | undefined) {
      const { family, method, op } = request;
      if (poor === undefined && method === 'GET' && op === 'list' && !lists.has(family)) lists.set(family, request);
      if (poor === undefined && method === 'GET' && op === 'read') reads.set(family, request);
      if (poor === undefined || !(poor.isFault || isTold())) {
        for (const each of suspects) alone.add(each);
        suspects.clear();
        inARow = 0;
        state = 'up';
        return;
      }
      const { status, isFault } = poor;
      const kind = `${family} ${status}`;
      inARow += 1;
      last = poor;
      if (isFault) suspects.add(kind);
      if (isFault && method === 'GET') failed = request;
      // A connection may break for the number of them: one alone says nothing of the others.
      const isNew = isFault && status > 0 && known().length > 0 && !alone.has(kind);
      // Of a target that answered nothing well before, only those are waited for that say they are down.
      const mayComeBack = known().length > 0 || (isFault && status !== INTERNAL);
      const isLong = mayComeBack && inARow >= (isFault ? FAULTS_IN_A_ROW : POOR_IN_A_ROW);
      if (state === 'up' && (isNew || isLong)) state = 'doubted';
    },
  };
}
