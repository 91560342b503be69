import pLimit from 'p-limit';
import { TargetError } from '../../errors.ts';
import type { TakenLater } from '../../records/run.ts';
import { isSuccess } from '../../wire/answer.ts';
import type { RequestSpec } from '../../wire/request.ts';
import type { ClientOptions, ViewOptions } from '../types.ts';
import { type Attempts, type Delivered, type DeliveryDeps, type Extra, hasHeader, openAttempts } from './attempt.ts';
import { TURNED_AWAY, tryConnections } from './connection-trial.ts';
import { csrfSession, refusesForCsrf, takesToken, tokenRequest } from './csrf.ts';
import { BUSY, OF_A_MOMENT, OF_A_NODE, retryAfterSeconds } from './poor-answer.ts';
import { openTransport, type WireAnswer, type WireRequest } from './transport.ts';

const RETRY_AFTER_TRIES = 3;
const MOST_AT_ONCE = 10;
const TRIES = 3;
/** Tries of any request that was turned away beside others: with one lock for all, each of them has its turn. */
const CROWDED_TRIES = 6;
const BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 400;
/** A wait without a word of how long. */
const MOMENT_SECONDS = 1;
/** Requests of a kind that are refused again after a wait, beyond which the reason is none that passes. */
const MOST_IN_VAIN = 3;
const LONG_MS = 1000;

/** Sends with bounded retries: Retry-After, a crowd, a target that is down, a login that is refused once, connection errors for GET. */
function patientSend(
  { once, login, loginHolds, service, signalOf }: Attempts,
  { clock }: DeliveryDeps,
  onWait: ClientOptions['onWait'],
  onTaken: (spec: RequestSpec, first: WireAnswer) => void,
) {
  /** How many requests of a kind were sent again in vain; minus infinity once it helped. */
  const inVain = new Map<string, number>();
  const served = new Set<string>();
  /** `headers`: further ones for the next try; `hasEnded`: the session of those before has. */
  return async (spec: RequestSpec, view: ViewOptions, headers?: (hasEnded: boolean) => Promise<Extra>) => {
    const kind = `${spec.family} ${spec.op}`;
    let waits = 0;
    let isDoubted = false;
    let wasDown = false;
    let wasRefused = false;
    let first: Delivered | undefined;
    for (let tries = 1; ; ) {
      let waitMs = Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (tries - 1));
      const outages = service.outages();
      try {
        const extra = (await headers?.(isDoubted)) ?? {};
        const got = await login.pass(() => once(spec, extra, view));
        if (got.answer.status === 401 && !hasHeader(spec, 'authorization') && !login.isDenied(spec)) {
          const isHeld = await loginHolds(view);
          if (isHeld && isDoubted) login.deny(spec);
          if (!isHeld || isDoubted) return got;
          isDoubted = true;
          continue;
        }
        if (!service.isOpen() && (spec.method === 'GET' || BUSY.has(got.answer.status))) {
          await service.holds(view);
          if (!wasDown && service.outages() > outages) {
            wasDown = true;
            first ??= got;
            continue;
          }
        }
        const isServed = served.has(kind);
        if (isSuccess(got.answer)) served.add(kind);
        const ofMoment = spec.method !== 'GET' ? OF_A_MOMENT : isServed ? OF_A_NODE : undefined;
        const isRefused = ofMoment?.has(got.answer.status) === true;
        const vain = inVain.get(kind) ?? 0;
        const mayPass = isRefused && vain < MOST_IN_VAIN;
        const asked = retryAfterSeconds(got.answer, clock.now().getTime());
        if (asked === undefined && got.isCrowded && tries < CROWDED_TRIES && (mayPass || !isRefused)) tries += 1;
        else {
          // Where a wait has helped, a shorter one may.
          const moment = vain < 0 ? (MOMENT_SECONDS * 2 ** waits) / 4 : MOMENT_SECONDS;
          const seconds = asked ?? (mayPass && (waits === 0 || vain < 0) ? moment : undefined);
          if (seconds === undefined || waits === RETRY_AFTER_TRIES) {
            if (wasRefused) inVain.set(kind, isRefused ? vain + 1 : Number.NEGATIVE_INFINITY);
            if (first === undefined || !isSuccess(got.answer)) return got;
            const { answer, isAlone = false } = first;
            onTaken(spec, answer);
            // One that is busy, or says when to come again, has a reason of its own.
            const isBusy = BUSY.has(answer.status) || retryAfterSeconds(answer, clock.now().getTime()) !== undefined;
            const isOther = isBusy || !isAlone;
            return ofMoment?.has(answer.status) && !isOther ? { ...got, refusedAlone: first } : got;
          }
          waits += 1;
          waitMs = seconds * 1000;
        }
        wasRefused ||= isRefused && asked === undefined;
        first ??= got;
        if (waitMs >= LONG_MS) onWait?.(got.answer.status, waitMs);
      } catch (fault) {
        const isRepeatable = spec.method === 'GET' && fault instanceof TargetError && TURNED_AWAY.has(fault.code);
        if (!isRepeatable || tries === TRIES) throw fault;
        tries += 1;
        if (!service.isOpen()) await service.holds(view);
      }
      await clock.sleep(waitMs, signalOf(view));
    }
  };
}

/** Gets requests to the target and answers back: one login, CSRF token, pace and record for all of them. Knows nothing of modes. */
export function openDelivery(options: ClientOptions, deps: DeliveryDeps) {
  const attempts = openAttempts(options, deps);
  const taken = new Map<number, TakenLater>();
  const send = patientSend(attempts, deps, options.onWait, ({ method, family }, first) => {
    const known = taken.get(first.status);
    const { count, ...of } = known ?? { count: 0, answer: attempts.quoted(first), request: `${method} ${family}` };
    taken.set(first.status, { ...of, count: count + 1 });
  });
  const csrf = csrfSession(options.csrf === true, deps.clock.monotonicMs);
  const oneFetch = pLimit(1);
  const inTurn = pLimit(1);
  const fetchToken = (family: string, view: ViewOptions) =>
    oneFetch(async () => {
      const request = tokenRequest(options.table, family);
      if (csrf.isFresh() || request === undefined) return;
      // Whoever needs it first fetches it: its id must not count as one of theirs.
      csrf.keep(await send(request, { ...view, label: 'csrf' }));
    });
  const write = async (spec: RequestSpec, view: ViewOptions): Promise<Delivered> => {
    for (let tries = 1; ; tries += 1) {
      let given: Extra = {};
      const isWanted = takesToken(spec.op) || tries > 1;
      const headers = async (hasEnded: boolean) => {
        // A token goes with its session.
        if (hasEnded && 'Cookie' in given) csrf.refused(given);
        if (csrf.needed() && isWanted && !csrf.isFresh()) await fetchToken(spec.family, view);
        given = isWanted ? csrf.headers() : {};
        return given;
      };
      const sent = await send(spec, view, headers);
      if (!refusesForCsrf(sent.answer)) {
        csrf.took(given, sent);
        return sent;
      }
      const isNewest = csrf.refused(given);
      if (tries === TRIES || (tries > 1 && isNewest)) return sent;
    }
  };
  let used = options.target.connections;
  const useConnections = (connections: number) => {
    used = Math.max(1, Math.min(connections, options.target.connections));
    attempts.pace.limit(used);
    return deps.transport.reopen(used);
  };
  return {
    requests: (): Readonly<Record<string, number>> => ({ ...attempts.counts }),
    takenLater: (): readonly TakenLater[] => [...taken.values()],
    needsCsrf: csrf.needed,
    cleanup: attempts.cleanup,
    wasSent: attempts.wasSent,
    isUnanswered: attempts.isUnanswered,
    outages: attempts.service.outages,
    answersStill: attempts.service.proves,
    useConnections,
    async tryConnections(request: RequestSpec, connections: number) {
      attempts.login.check();
      // Its own stay open beside no others: they would count against the cap.
      await deps.transport.reopen(used);
      const open = () => {
        const transport = openTransport({ ...options.target, connections: 1 }, deps.clock);
        return {
          ...transport,
          once: (wire: WireRequest) => {
            attempts.count(wire.method);
            return transport.once(wire);
          },
        };
      };
      const atOnce = Math.min(MOST_AT_ONCE, attempts.pace.atOnce());
      return tryConnections(open, attempts.wireRequest(request), { wanted: connections, atOnce });
    },
    async deliver(spec: RequestSpec, view: ViewOptions): Promise<Delivered> {
      // A request that brings its own token, or asks for one, is about the handshake: it is left alone. Its token may be the only one now.
      if (spec.method === 'GET' || hasHeader(spec, 'x-csrf-token')) {
        const own = await send(spec, view);
        csrf.learn(own);
        return own;
      }
      return csrf.isOneTime() ? inTurn(() => write(spec, view)) : write(spec, view);
    },
  };
}

export type Delivery = ReturnType<typeof openDelivery>;
