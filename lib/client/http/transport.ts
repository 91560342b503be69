import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import type { Clock } from '../../clock.ts';
import { defined } from '../../defined.ts';
import type { TargetConfig } from '../types.ts';
import { bodyReader, type Waiting } from './answer-body.ts';
import { poolSkippingContinue } from './skip-continue.ts';
import { asTargetError, timeoutFault } from './transport-fault.ts';

const HEADER_LIMIT_BYTES = 64 * 1024;
/** How long a write that is already out may go on after the run was aborted. */
const ABORT_GRACE_MS = 2000;

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface WireAnswer {
  readonly status: number;
  /** Lower-case names, one pair per value. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** Length of the whole body where it is known, else of what was read. */
  readonly bytes: number;
  /** The body was longer than what is kept (4 MiB), and its rest was not read. */
  readonly cut: boolean;
  /** Without the time that a long body waited for its turn. */
  readonly durationMs: number;
}

/** The first value of a header by its name in lower case. */
export const headerIn = ({ headers }: Pick<WireAnswer, 'headers'>, name: string): string | undefined =>
  headers.find(([held]) => held === name)?.[1];

export interface Transport {
  /** Sends once. Redirects are answers. Rejects with `TargetError`, or with the signal's reason. */
  readonly once: (request: WireRequest) => Promise<WireAnswer>;
  /** Closes the connections that are open once their requests are answered; the next ones are at most so many. */
  readonly reopen: (connections: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

function dispatchers(target: TargetConfig): (connections: number) => Dispatcher {
  const ca = target.caFile === undefined ? undefined : readFileSync(target.caFile, 'utf8');
  const { certificate: cert, key } = target.clientCertificate ?? {};
  const tls = { ...defined({ ca, cert, key }), rejectUnauthorized: target.insecure !== true };
  const common = {
    factory: poolSkippingContinue,
    pipelining: 1,
    maxHeaderSize: HEADER_LIMIT_BYTES,
    headersTimeout: target.timeoutMs,
    bodyTimeout: target.timeoutMs,
  };
  const { proxy, only } = target;
  const connect = { ...tls, timeout: target.timeoutMs };
  const open = buildConnector({ ...connect, ...defined({ lookup: only?.lookup }) });
  const connectOnce: buildConnector.connector = (where, done) =>
    open(where, (...given) => {
      // Of one that failed, the connector gives none.
      if (given[1] != null) only?.reached(given[1]);
      done(...given);
    });
  return (connections) =>
    proxy === undefined
      ? new Agent({ ...common, connections, connect: connectOnce })
      : new ProxyAgent({ ...common, connections, uri: proxy, requestTls: connect, connect });
}

const headerPairs = (headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, held]) =>
    (Array.isArray(held) ? held : [held ?? '']).map((value): [string, string] => [name.toLowerCase(), value]),
  );

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body without its content coding: none is asked for, and any may still come (RFC 9110, 12.5.3). */
function decoded(body: Readable, headers: WireAnswer['headers']): Readable {
  const coding = headerIn({ headers }, 'content-encoding') ?? '';
  const decoder = DECODERS[coding.trim().toLowerCase()]?.();
  return decoder === undefined ? body : pipeline(body, decoder, () => undefined);
}

/** One signal for the time limit and for the run's end; `release` forgets both. `waiting` stops the clock of the limit. */
function limits({ monotonicMs }: Clock, timeoutMs: number, isWrite: boolean, run: AbortSignal | undefined) {
  // The client of HTTP takes an emitter too, which costs less than an AbortSignal for each request.
  const signal = new EventEmitter();
  let ended: 'timeout' | 'run' | undefined;
  const end = (by: 'timeout' | 'run') => {
    ended ??= by;
    signal.emit('abort');
  };
  let grace: NodeJS.Timeout | undefined;
  let spentMs = 0;
  let armedMs = monotonicMs();
  let timer = setTimeout(end, timeoutMs, 'timeout');
  const waiting: Waiting = {
    pause() {
      clearTimeout(timer);
      spentMs += monotonicMs() - armedMs;
    },
    resume() {
      armedMs = monotonicMs();
      timer = setTimeout(end, timeoutMs - spentMs, 'timeout');
    },
  };
  const onAbort = () => {
    if (!isWrite) end('run');
    else grace = setTimeout(end, ABORT_GRACE_MS, 'run');
  };
  run?.addEventListener('abort', onAbort, { once: true });
  return {
    signal,
    waiting,
    /** Rejects at the end. A request that waits for a proxy which closes each connection is called again without end, and hears no signal. */
    over: () => new Promise<never>((_, reject) => signal.once('abort', reject)),
    ended: () => ended,
    spentMs: () => spentMs + monotonicMs() - armedMs,
    release() {
      clearTimeout(timer);
      clearTimeout(grace);
      run?.removeEventListener('abort', onAbort);
    },
  };
}

/** Opens the connections to a target; nothing is sent before `once`. Throws if its CA file, which was checked, is gone. */
export function openTransport(target: TargetConfig, clock: Clock): Transport {
  const base = new URL(target.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const open = dispatchers(target);
  let dispatcher = open(target.connections);
  const readBody = bodyReader();
  let hasAnswered = false;
  return {
    async once({ method, path, headers, body, signal }) {
      const request = `${method} ${base.origin}${prefix}${path}`;
      const limit = limits(clock, target.timeoutMs, method !== 'GET', signal);
      try {
        const sent = dispatcher.request({
          origin: base.origin,
          path: prefix + path,
          method: method as Dispatcher.HttpMethod,
          headers,
          body: body ?? null,
          signal: limit.signal,
        });
        const answer = await (target.proxy === undefined ? sent : Promise.race([sent, limit.over()]));
        hasAnswered = true;
        const pairs = headerPairs(answer.headers);
        const type = headerIn({ headers: pairs }, 'content-type');
        const { text, bytes: read, cut } = await readBody(decoded(answer.body, pairs), limit.waiting, type);
        const stated = Number(headerIn({ headers: pairs }, 'content-length'));
        const bytes = cut && stated > read ? stated : read;
        return { status: answer.statusCode, headers: pairs, body: text, bytes, cut, durationMs: limit.spentMs() };
      } catch (fault) {
        if (limit.ended() === 'run') throw signal?.reason;
        if (limit.ended() === 'timeout')
          throw timeoutFault(request, target.timeoutMs, fault, hasAnswered ? undefined : target.proxy);
        throw asTargetError(fault, base.origin, { request, hasAnswered, proxy: target.proxy });
      } finally {
        limit.release();
      }
    },
    async reopen(connections) {
      const old = dispatcher;
      dispatcher = open(connections);
      await old.close();
    },
    close: () => dispatcher.destroy(),
  };
}
