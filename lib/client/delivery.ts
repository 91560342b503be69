import type { Clock } from '../clock.ts';
import { messageOf, TargetError } from '../errors.ts';
import type { RequestSpec } from '../wire/request.ts';
import { type CsrfSession, csrfSession, refusesForCsrf, takesToken, tokenRequest } from './csrf.ts';
import { exchangeRecord } from './exchange-record.ts';
import { concurrencyGate, rateGate } from './gates.ts';
import { redactor } from './redact.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';
import type { ClientOptions, ViewOptions } from './types.ts';

/** Waits that a target may ask for with Retry-After: how long each, and how many. */
const RETRY_AFTER_LIMIT_SECONDS = 30;
const RETRY_AFTER_TRIES = 3;
/** Repeats of a GET whose connection broke. */
const TRANSPORT_TRIES = 3;
const TRANSPORT_BACKOFF_MS = 100;
const REPEATABLE: ReadonlySet<string> = new Set(['reset', 'refused']);

export interface Delivered {
  /** Id of the record of the last exchange. */
  readonly id: string;
  readonly answer: WireAnswer;
}

/** Gets a request to the target and an answer back: login, CSRF, retries, caps and records. Knows nothing of modes. */
export interface Delivery {
  readonly deliver: (request: RequestSpec, view: ViewOptions) => Promise<Delivered>;
  readonly requests: () => Readonly<Record<string, number>>;
  readonly needsCsrf: () => boolean;
}

export interface DeliveryDeps {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly userAgent: string;
}

const hasHeader = (request: RequestSpec, name: string) =>
  Object.keys(request.headers).some((held) => held.toLowerCase() === name);

function lockedOut(): TargetError {
  return new TargetError('refused-login', 'the target refused the login; nothing more is sent', {
    hint: 'check user name, password and role; one attempt was made, because accounts are suspended after a few',
  });
}

/** Seconds that the answer asks to wait; undefined where it asks for none, or for more than is waited. */
function retryAfterSeconds(answer: WireAnswer): number | undefined {
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const text = answer.headers.find(([name]) => name === 'retry-after')?.[1] ?? '';
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return seconds <= RETRY_AFTER_LIMIT_SECONDS ? seconds : undefined;
}

/** Lets one request through alone until the login has been answered, so that a wrong password is sent once. */
function loginGate() {
  let state: 'unproven' | 'proven' | 'refused' = 'unproven';
  const alone = concurrencyGate(1);
  return {
    check() {
      if (state === 'refused') throw lockedOut();
    },
    answered(status: number) {
      if (status === 401) state = 'refused';
      else if (state === 'unproven') state = 'proven';
    },
    async pass<T>(work: () => Promise<T>): Promise<T> {
      if (state !== 'unproven') return work();
      const first = await alone(async () => (state === 'unproven' ? { value: await work() } : null));
      return first === null ? work() : first.value;
    },
  };
}

/** Opens the delivery of a client; its parts share one login, one CSRF session and one set of caps. */
export function openDelivery(options: ClientOptions, deps: DeliveryDeps): Delivery {
  const { clock, transport } = deps;
  const { target } = options;
  const redact = redactor(target.credentials);
  const login = loginGate();
  const csrf: CsrfSession = csrfSession(options.csrf === true, clock.monotonicMs);
  const slots = concurrencyGate(target.connections);
  const pace = rateGate(target.requestsPerSecond, clock);
  const fetchingToken = concurrencyGate(1);
  const counts: Record<string, number> = {};
  let lastId = 0;
  const { credentials } = target;
  const basic =
    credentials === null
      ? undefined
      : `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;

  const record = (
    spec: RequestSpec,
    request: WireRequest,
    view: ViewOptions,
    begun: number,
    got: WireAnswer | Error,
  ) => {
    lastId += 1;
    const id = `${options.idPrefix ?? 'e'}${String(lastId).padStart(6, '0')}`;
    const answer = got instanceof Error ? null : got;
    const dull = view.records === 'faults' && answer !== null && answer.status >= 200 && answer.status < 300;
    if (dull) return id;
    options.onExchange(
      exchangeRecord(
        {
          id,
          at: clock.now(),
          family: spec.family,
          operation: spec.op,
          request,
          answer,
          durationMs: answer?.durationMs ?? clock.monotonicMs() - begun,
          ...(got instanceof Error ? { fault: messageOf(got) } : {}),
        },
        redact,
      ),
    );
    return id;
  };

  const once = (spec: RequestSpec, extra: Readonly<Record<string, string>>, view: ViewOptions): Promise<Delivered> =>
    slots(async () => {
      const signal = view.signal === 'ignored' ? undefined : options.signal;
      await pace(signal);
      signal?.throwIfAborted();
      login.check();
      const own = hasHeader(spec, 'authorization');
      const headers: Record<string, string> = { 'User-Agent': deps.userAgent, ...spec.headers, ...extra };
      if (!own && basic !== undefined) headers['Authorization'] = basic;
      const request: WireRequest = {
        method: spec.method,
        path: spec.path,
        headers: Object.fromEntries(
          Object.entries(headers).filter(
            ([name, value]) => !(own && name.toLowerCase() === 'authorization' && value === ''),
          ),
        ),
        ...(spec.body === undefined ? {} : { body: spec.body }),
        ...(signal === undefined ? {} : { signal }),
      };
      counts[spec.method] = (counts[spec.method] ?? 0) + 1;
      const begun = clock.monotonicMs();
      try {
        const answer = await transport.once(request);
        // A request with a login of its own says nothing about ours.
        if (!own) login.answered(answer.status);
        return { id: record(spec, request, view, begun, answer), answer };
      } catch (fault) {
        record(spec, request, view, begun, fault instanceof Error ? fault : new Error(messageOf(fault)));
        throw fault;
      }
    });

  /** One answer that is not a broken connection on a GET and not a plea to wait. */
  const patiently = async (spec: RequestSpec, extra: Readonly<Record<string, string>>, view: ViewOptions) => {
    let waits = 0;
    for (let tries = 1; ; ) {
      try {
        const got = await login.pass(() => once(spec, extra, view));
        const seconds = retryAfterSeconds(got.answer);
        if (seconds === undefined || waits === RETRY_AFTER_TRIES) return got;
        waits += 1;
        await clock.sleep(seconds * 1000, view.signal === 'ignored' ? undefined : options.signal);
      } catch (fault) {
        const repeatable = spec.method === 'GET' && fault instanceof TargetError && REPEATABLE.has(fault.code);
        if (!repeatable || tries === TRANSPORT_TRIES) throw fault;
        await clock.sleep(TRANSPORT_BACKOFF_MS * 2 ** (tries - 1), options.signal);
        tries += 1;
      }
    }
  };

  const fetchToken = (family: string, view: ViewOptions) =>
    fetchingToken(async () => {
      const request = tokenRequest(options.table, family);
      if (csrf.isFresh() || request === undefined) return;
      csrf.keep((await patiently(request, {}, view)).answer);
    });

  return {
    requests: () => ({ ...counts }),
    needsCsrf: csrf.needed,
    async deliver(spec, view) {
      // A request that brings its own token, or asks for one, is about the handshake: it is left alone.
      if (spec.method === 'GET' || hasHeader(spec, 'x-csrf-token')) return patiently(spec, {}, view);
      if (csrf.needed() && takesToken(spec.op) && !csrf.isFresh()) await fetchToken(spec.family, view);
      const first = await patiently(spec, takesToken(spec.op) ? csrf.headers() : {}, view);
      if (!refusesForCsrf(first.answer)) return first;
      csrf.demand();
      csrf.forget();
      await fetchToken(spec.family, view);
      return csrf.isFresh() ? patiently(spec, csrf.headers(), view) : first;
    },
  };
}
