import { askedMs, LONGEST_WAIT_MS } from './retry-after.ts';
import type { WireAnswer } from './transport.ts';

/** A server that does not know what is asked, and no fault of its own (RFC 9110, 15.6.2). */
const NOT_IMPLEMENTED = 501;

/** An answer that a target which is down gives to any request, or no answer. */
export interface Poor {
  /** Its status; 0 if none came. */
  readonly status: number;
  /** True if one such answer is reason to doubt the target; false for one that a request may have earned, such as 404. */
  readonly isFault: boolean;
  /** What the target does: `answers 503 "Maintenance" to every request`. */
  readonly words: () => string;
  /** Milliseconds after which the target asks to come again, if it does. */
  readonly againMs: number | undefined;
}

/** True for a web page, which a login or a gateway answers with in place of the API. */
export const isPage = (contentType: string | undefined, body: string): boolean =>
  /\bhtml\b/i.test(contentType ?? '') || /^\s*<(!doctype|html)/i.test(body);

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
