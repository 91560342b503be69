import { setMaxListeners } from 'node:events';
import type { Clock } from '../../clock.ts';
import { defined } from '../../defined.ts';
import { messageOf, TargetError } from '../../errors.ts';
import { jsonOf } from '../../json-text.ts';
import { answerWords } from '../../said.ts';
import { duration } from '../../text.ts';
import type { RequestSpec } from '../../wire/request.ts';
import { redactor } from '../redaction/redact.ts';
import type { ClientOptions, ViewOptions } from '../types.ts';
import { TURNED_AWAY } from './connection-trial.ts';
import { cookiesAfter } from './csrf.ts';
import { recordable } from './exchange-record.ts';
import { loginGate, serviceGate } from './gates.ts';
import { adaptivePace, type Ending, FEW, requestRate } from './pace.ts';
import { BUSY, OF_A_MOMENT, poorAnswer } from './poor-answer.ts';
import { said } from './said.ts';
import { seen } from './see-other.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';

export interface Delivered {
  readonly id: string;
  readonly answer: WireAnswer;
  /** `Cookie` header of the session that the exchange was in. */
  readonly cookie: string;
  /** True for a request that was turned away beside others of ours: too many were under way. */
  readonly isCrowded?: boolean;
  /** True for a write beside which no other of ours was on the wire. */
  readonly isAlone?: boolean;
  /** The first answer to a write that was alone, refused, and taken when it was sent again. */
  readonly refusedAlone?: Delivered;
}

export interface DeliveryDeps {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly userAgent: string;
}

/** True if the request brings the header itself; names in lower case. */
export const hasHeader = (request: RequestSpec, name: string): boolean =>
  Object.keys(request.headers).some((held) => held.toLowerCase() === name);

const UNLABELED = 'e';

type Result = { readonly answer: WireAnswer } | { readonly fault: string };

function recorder(options: ClientOptions, clock: Clock) {
  const redact = redactor(options.target.credentials);
  const last = new Map<string, number>();
  const nextId = (label: string) => {
    const number = (last.get(label) ?? 0) + 1;
    last.set(label, number);
    return `${options.idPrefix ?? ''}${label}-${number}`;
  };
  return (spec: RequestSpec, request: WireRequest, view: ViewOptions, begun: number, result: Result): string => {
    const id = nextId(view.label ?? UNLABELED);
    const answer = 'answer' in result ? result.answer : null;
    const good = answer !== null && answer.status >= 200 && answer.status < 300;
    if (view.records === 'faults' && good) return id;
    const { family, op: operation } = spec;
    const durationMs = answer?.durationMs ?? clock.monotonicMs() - begun;
    const captured = { answer: null, ...result, id, at: clock.now(), family, operation, request, durationMs };
    try {
      options.onExchange(recordable(captured, redact));
    } catch (thrown) {
      // A full disk does not end the clean-up.
      if (view.signal !== 'ignored') throw thrown;
    }
    return id;
  };
}

function basicLogin({ credentials }: ClientOptions['target']): Readonly<Record<string, string>> {
  if (credentials === null) return {};
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  return { Authorization: `Basic ${pair}` };
}

/** Headers of a request; one that brings an empty Authorization goes without any. */
function headersOf(spec: RequestSpec, common: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries({ ...common, ...spec.headers });
  return Object.fromEntries(all.filter(([name, value]) => value !== '' || name.toLowerCase() !== 'authorization'));
}

/** What an answer says of the pace: the target takes no more requests at one time, asks for less, or how long it took. */
function endingOf(method: string, { status, headers, durationMs }: WireAnswer): Ending {
  if (!BUSY.has(status)) return durationMs;
  // A write may be turned away for what it does: one bulk request at a time.
  if (method === 'GET') return 'lost';
  return status === 429 || headers.some(([name]) => name === 'retry-after') ? 'overloaded' : durationMs;
}

/** Faults of a connection that never came about: the request did not get to the target. */
const UNREACHED: ReadonlySet<string> = new Set(['refused', 'dns', 'tls']);

const DOUBT_MS = 500;

export type Extra = Readonly<Record<string, string>>;

/** The gate that a request asks on behalf of, and passes. */
type Past = 'login' | 'service' | undefined;

/** How long the clean-up may go on after the run was aborted. */
export const CLEANUP_MS = 50_000;

/** Ends the requests of the clean-up some time after the run was aborted: what it did not reach by then is reported as left. */
function cleanupSignal({ signal, cleanupMs = () => CLEANUP_MS }: ClientOptions): AbortSignal {
  const bound = new AbortController();
  const arm = () => {
    const ms = cleanupMs();
    const late = new TargetError('timeout', `the clean-up was not through ${duration(ms)} after the run was to end`);
    setTimeout(() => bound.abort(late), ms).unref();
  };
  if (signal?.aborted) arm();
  else signal?.addEventListener('abort', arm, { once: true });
  setMaxListeners(0, bound.signal);
  return bound.signal;
}

/** Opens the way to the wire: requests within the caps, with the login, counted and recorded; they share one login and one count. */
export function openAttempts(options: ClientOptions, { clock, transport, userAgent }: DeliveryDeps) {
  const { target } = options;
  const record = recorder(options, clock);
  const pace = adaptivePace(target);
  const rate = requestRate(target.requestsPerSecond, clock);
  const basic = basicLogin(target);
  const counts: Record<string, number> = {};
  const underWay = new Set<Promise<unknown>>();
  const writes = { onTheWire: 0, begun: 0 };
  const onTheWire = new WeakSet<RequestSpec>();
  const unanswered = new WeakSet<RequestSpec>();
  let session = '';
  const quiet = () => Promise.allSettled(underWay);
  const login = loginGate(quiet);
  const redact = redactor(target.credentials);
  const cleanup = cleanupSignal(options);
  const signalOf = (view: ViewOptions) => (view.signal === 'ignored' ? cleanup : options.signal);
  const count = (method: string) => {
    counts[method] = (counts[method] ?? 0) + 1;
  };
  const wireRequest = (spec: RequestSpec, extra: Extra = {}): WireRequest => {
    const { method, path, body } = spec;
    const ownLogin = hasHeader(spec, 'authorization');
    // Without the cookies each request would open a session of its own.
    const usual = ownLogin ? {} : { ...basic, ...(session === '' ? {} : { Cookie: session }) };
    const headers = headersOf(spec, { 'User-Agent': userAgent, ...usual, ...extra });
    return { method, path, headers, ...defined({ body }) };
  };
  const quoted = ({ status, body }: WireAnswer): string =>
    answerWords(status, said(redact, { json: jsonOf(body), body }));
  const sendNow = async (spec: RequestSpec, extra: Extra, view: ViewOptions, past: Past): Promise<Delivered> => {
    const request = { ...wireRequest(spec, extra), ...defined({ signal: signalOf(view) }) };
    count(spec.method);
    onTheWire.add(spec);
    unanswered.add(spec);
    const begun = clock.monotonicMs();
    const isWrite = spec.method !== 'GET';
    if (isWrite) writes.onTheWire += 1;
    if (isWrite) writes.begun += 1;
    const before = { ...writes };
    const sent = pace.sends(`${spec.family} ${spec.op}`);
    try {
      const answer = await transport.once(request);
      unanswered.delete(spec);
      const poor = poorAnswer(answer, quoted, clock.now().getTime());
      if (poor?.isFault !== true) rate.answered(answer.status);
      sent.ended(endingOf(spec.method, answer));
      const carried = request.headers['Cookie'] ?? '';
      const cookie = cookiesAfter(carried, answer.headers);
      // A request with a login of its own says nothing about ours.
      if (!hasHeader(spec, 'authorization')) {
        // A session that has ended is not shown again.
        if (answer.status === 401) session = '';
        else if (cookie !== carried) session = cookie;
        login.answered(spec, answer.status, () => quoted(answer), past === 'login', carried !== '');
        service.ended(spec, poor);
      }
      // One bulk request at a time is a rule, and no crowd.
      const isTurnedAway = BUSY.has(answer.status) || OF_A_MOMENT.has(answer.status);
      const isCrowded = isTurnedAway && sent.among > 1 && spec.op !== 'bulkSubmit';
      const isAlone = isWrite && before.onTheWire === 1 && writes.begun === before.begun;
      const id = record(spec, request, view, begun, { answer });
      const get: Transport['once'] = async (next) => {
        await rate.turn(signalOf(view));
        count(next.method);
        return transport.once(next);
      };
      return { id, answer: await seen(get, target.baseUrl, request, answer), cookie, isCrowded, isAlone };
    } catch (fault) {
      if (fault instanceof TargetError) {
        if (UNREACHED.has(fault.code)) unanswered.delete(spec);
        sent.ended(TURNED_AWAY.has(fault.code) ? 'lost' : 'timeout');
        // Of many at one time, some may be lost for their number.
        if (sent.among <= FEW)
          service.ended(spec, {
            ...{ status: 0, isFault: true, againMs: undefined },
            words: () => `gives no answer any more: ${fault.message}`,
          });
      }
      record(spec, request, view, begun, { fault: messageOf(fault) });
      throw fault;
    } finally {
      if (isWrite) writes.onTheWire -= 1;
    }
  };
  const once = async (spec: RequestSpec, extra: Extra, view: ViewOptions, past?: Past): Promise<Delivered> => {
    for (;;) {
      if (past === undefined && !login.isOpen()) await loginHolds(view);
      if (past === undefined && !service.isOpen()) await service.holds(view);
      const turn = async () => {
        const signal = signalOf(view);
        await rate.turn(signal);
        if (spec.method !== 'GET') await view.beforeSend?.(onTheWire.has(spec));
        signal?.throwIfAborted();
        login.check();
        // In doubt since it had its turn: it waits until that is over.
        if (past === undefined && !(login.isOpen() && service.isOpen())) return undefined;
        const sending = sendNow(spec, extra, view, past);
        underWay.add(sending);
        return sending.finally(() => underWay.delete(sending));
      };
      // A gate is asked for alone, once nothing is under way: whoever has a slot may wait for its answer.
      const sent = await (past === undefined && !view.inSlot ? pace.slot(turn) : turn());
      if (sent !== undefined) return sent;
    }
  };
  const service = serviceGate({
    ...{ clock, signalOf, onWait: options.onWait, quiet },
    probe: (request, view) => once(request, {}, { ...view, label: 'service' }, 'service'),
  });
  /** True if a login that was refused with 401 still holds: a request that was answered well before is answered again. */
  const loginHolds = (view: ViewOptions) =>
    login.holds(async () => {
      await clock.sleep(DOUBT_MS, signalOf(view));
      const [proof] = service.known();
      if (proof !== undefined) await once(proof, {}, { ...view, label: 'login' }, 'login');
    });
  return {
    ...{ once, quoted, login, loginHolds, service, signalOf, cleanup, counts, count, pace, wireRequest },
    wasSent: (spec: RequestSpec) => onTheWire.has(spec),
    /** True if it is not known what the target did with the last try of a request: no answer came. */
    isUnanswered: (spec: RequestSpec) => unanswered.has(spec),
  };
}

export type Attempts = ReturnType<typeof openAttempts>;
