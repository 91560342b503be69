import { isWebPage, OF_TIME } from '../../wire/answer.ts';
import { headerIn, type WireAnswer } from './transport.ts';

/** Longer waits are not waited for: the answer then stands. */
export const LONGEST_WAIT_MS = 30_000;

/** Names of the header that tells when a limit ends: in how many seconds, or at which second since 1970. */
const RESETS = ['ratelimit-reset', 'x-ratelimit-reset'] as const;
/** Fewer seconds than any time of day since 1970 has, and more than any limit lasts. */
const LEAST_TIME_S = 1_000_000_000;

/** Milliseconds until the end of the limit that a 429 tells of; undefined for none to wait for. */
function resetMs(answer: Pick<WireAnswer, 'status' | 'headers'>, nowMs: number): number | undefined {
  const text = answer.status === 429 ? RESETS.map((name) => headerIn(answer, name)?.trim()).find(Boolean) : undefined;
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const ms = Number(text) * 1000 - (Number(text) < LEAST_TIME_S ? 0 : nowMs);
  return ms > 0 && ms <= LONGEST_WAIT_MS ? ms : undefined;
}

/** Milliseconds that `Retry-After` asks to wait (RFC 9110, 10.2.3), or the end of a limit; undefined without either. `nowMs` is the time of day. */
function askedMs(answer: Pick<WireAnswer, 'status' | 'headers'>, nowMs: number): number | undefined {
  const text = headerIn(answer, 'retry-after')?.trim() ?? '';
  if (text === '') return resetMs(answer, nowMs);
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  // Its own clock may be another.
  const theirMs = Date.parse(headerIn(answer, 'date') ?? '') || nowMs;
  return Number.isNaN(until) ? undefined : Math.max(0, 1000 * Math.ceil((until - theirMs) / 1000));
}

/** Statuses of a target that is too busy and did nothing (RFC 6585, 4; RFC 9110, 15.6.4); any other is about one request. */
export const BUSY: ReadonlySet<number> = new Set([429, 503]);
/** Statuses of a write that another one stands in the way of (RFC 9110, 15.5.10; RFC 4918, 11.3); after a 503 it may still be done. */
export const OF_A_MOMENT: ReadonlySet<number> = new Set([409, 423, 429]);
/** Statuses of a GET that one node of several may give, or the balancer before them: another one may answer (RFC 9110, 15.6.3 to 15.6.5). A 408 ends a connection that was idle, and may meet a request there (15.5.9). */
export const OF_A_NODE: ReadonlySet<number> = new Set([408, 502, 503, 504]);
/** The longest wait for what a target refuses to one request alone: it may ask so of hundreds. */
const LONGEST_FOR_ONE_MS = 5_000;

/** Seconds that a refusal asks to wait; undefined if it asks for none, or for too many. `nowMs`: the time of day, milliseconds. */
export function retryAfterSeconds(answer: Pick<WireAnswer, 'status' | 'headers'>, nowMs: number): number | undefined {
  if (!OF_TIME.has(answer.status)) return undefined;
  const isBusy = BUSY.has(answer.status);
  const ms = askedMs(answer, nowMs);
  return ms !== undefined && ms <= (isBusy ? LONGEST_WAIT_MS : LONGEST_FOR_ONE_MS) ? ms / 1000 : undefined;
}

/** A server that does not know what is asked, and no fault of its own (RFC 9110, 15.6.2). */
const NOT_IMPLEMENTED = 501;

/** An answer that a target which is down gives to any request, or no answer. */
export interface Poor {
  readonly status: number;
  /** True if one such answer is reason to doubt the target; false for one that a request may have earned, such as 404. */
  readonly isFault: boolean;
  readonly words: () => string;
  /** Milliseconds after which the target asks to come again, if it does. */
  readonly againMs: number | undefined;
}

/** True for a web page, which a login or a gateway answers with in place of the API. */
export const isPage = (contentType: string | undefined, body: string): boolean =>
  /\bhtml\b/i.test(contentType ?? '') || isWebPage(body);

/** What may be wrong with a target that answers so; undefined for a success that is no web page. `nowMs` is the time of day. */
export function poorAnswer(
  answer: WireAnswer,
  quoted: (answer: WireAnswer) => string,
  nowMs: number,
): Poor | undefined {
  const { status, headers, body } = answer;
  const contentType = headers.flatMap(([name, value]) => (name === 'content-type' ? [value] : [])).join();
  if (status >= 200 && status < 300 && !isPage(contentType, body)) return undefined;
  const againMs = askedMs(answer, nowMs);
  const isForLong = status === 429 && againMs !== undefined && againMs > LONGEST_WAIT_MS;
  const isFault = (status >= 500 && status !== NOT_IMPLEMENTED) || isForLong;
  return { status, isFault, words: () => `answers ${quoted(answer)} to every request`, againMs };
}
