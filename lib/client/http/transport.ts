import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { Clock } from '../../clock.ts';
import { defined } from '../../defined.ts';
import { messageOf, UsageError } from '../../errors.ts';
import type { TargetConfig } from '../types.ts';
import { asTargetError, transportFault } from './transport-fault.ts';

/** Bytes of an answer that are kept in memory; the rest is not read. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;
const HEADER_LIMIT_BYTES = 64 * 1024;
/** How long a write that is already out may go on after the run was aborted. */
const ABORT_GRACE_MS = 2000;

export interface WireRequest {
  readonly method: string;
  /** Path with query below the base URL. */
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
  /** The body was longer than `BODY_LIMIT_BYTES`, and its rest was not read. */
  readonly cut: boolean;
  readonly durationMs: number;
}

export interface Transport {
  /** Sends once. Redirects are answers. Rejects with `TargetError`, or with the signal's reason. */
  readonly once: (request: WireRequest) => Promise<WireAnswer>;
  readonly close: () => Promise<void>;
}

function dispatcherOf(target: TargetConfig): Dispatcher {
  let ca: string | undefined;
  try {
    if (target.caFile !== undefined) ca = readFileSync(target.caFile, 'utf8');
  } catch (cause) {
    throw new UsageError('bad-ca-file', `cannot read the certificate authority: ${messageOf(cause)}`, { cause });
  }
  const tls = { ...defined({ ca }), rejectUnauthorized: target.insecure !== true };
  const common = {
    connections: target.connections,
    pipelining: 1,
    maxHeaderSize: HEADER_LIMIT_BYTES,
    headersTimeout: target.timeoutMs,
    bodyTimeout: target.timeoutMs,
  };
  const connect = { ...tls, timeout: target.timeoutMs };
  return target.proxy === undefined
    ? new Agent({ ...common, connect })
    : new ProxyAgent({ ...common, uri: target.proxy, requestTls: connect, connect });
}

function readBody(body: Readable): Promise<{ text: string; bytes: number; cut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const end = () => {
      const text = Buffer.concat(chunks).subarray(0, BODY_LIMIT_BYTES).toString('utf8');
      resolve({ text, bytes, cut: bytes > BODY_LIMIT_BYTES });
    };
    body
      .on('error', reject)
      .on('end', end)
      .on('close', () => reject(new Error('the answer broke off')));
    body.on('data', (chunk: Buffer) => {
      if (bytes > BODY_LIMIT_BYTES) return;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= BODY_LIMIT_BYTES) return;
      end();
      body.destroy();
    });
  });
}

function headerPairs(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, held]) =>
    (Array.isArray(held) ? held : [held ?? '']).map((value): [string, string] => [name.toLowerCase(), value]),
  );
}

/** One signal for the time limit and for the run's end; `release` forgets both. */
function limits(timeoutMs: number, isWrite: boolean, run: AbortSignal | undefined) {
  // The client of HTTP takes an emitter too, which costs less than an AbortSignal for each request.
  const signal = new EventEmitter();
  let ended: 'timeout' | 'run' | undefined;
  const end = (by: 'timeout' | 'run') => {
    ended ??= by;
    signal.emit('abort');
  };
  const timers = [setTimeout(end, timeoutMs, 'timeout')];
  const onAbort = () => {
    if (!isWrite) end('run');
    else timers.push(setTimeout(end, ABORT_GRACE_MS, 'run'));
  };
  run?.addEventListener('abort', onAbort, { once: true });
  return {
    signal,
    ended: () => ended,
    release() {
      for (const timer of timers) clearTimeout(timer);
      run?.removeEventListener('abort', onAbort);
    },
  };
}

/** The whole answer of one request, its body as far as it is kept. */
async function readAnswer(answer: Dispatcher.ResponseData): Promise<Omit<WireAnswer, 'durationMs'>> {
  const { text, bytes, cut } = await readBody(answer.body);
  const headers = headerPairs(answer.headers);
  const stated = Number(headers.find(([name]) => name === 'content-length')?.[1]);
  return { status: answer.statusCode, headers, body: text, bytes: cut && stated > bytes ? stated : bytes, cut };
}

/** Opens the connections to a target; nothing is sent before `once`. Throws `UsageError` on an unreadable CA file. */
export function openTransport(target: TargetConfig, clock: Clock): Transport {
  const base = new URL(target.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const dispatcher = dispatcherOf(target);
  return {
    async once({ method, path, headers, body, signal }) {
      const limit = limits(target.timeoutMs, method !== 'GET', signal);
      const begun = clock.monotonicMs();
      try {
        const answer = await dispatcher.request({
          origin: base.origin,
          path: prefix + path,
          method: method as Dispatcher.HttpMethod,
          headers,
          body: body ?? null,
          signal: limit.signal,
        });
        return { ...(await readAnswer(answer)), durationMs: clock.monotonicMs() - begun };
      } catch (fault) {
        if (limit.ended() === 'run') throw signal?.reason;
        if (limit.ended() === 'timeout') {
          throw transportFault('timeout', base.origin, `no whole answer within ${target.timeoutMs} ms`, fault);
        }
        throw asTargetError(fault, base.origin);
      } finally {
        limit.release();
      }
    },
    close: () => dispatcher.destroy(),
  };
}
