/** Longer waits are not waited for: the answer then stands. */
export const LONGEST_WAIT_MS = 30_000;

type Answered = { readonly headers: readonly (readonly [string, string])[] };

/** Milliseconds that an answer asks to wait with Retry-After, as a number of seconds or as an HTTP date (RFC 9110, 10.2.3); undefined where it asks for none. `nowMs` is the time of day. */
export function askedMs({ headers }: Answered, nowMs: number): number | undefined {
  const text = headers.find(([name]) => name === 'retry-after')?.[1]?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, 1000 * Math.ceil((until - nowMs) / 1000));
}

/** Seconds that a busy target asks to wait; undefined where it asks for none, or for more than is waited. `nowMs` is the time of day in milliseconds. */
export function retryAfterSeconds(answer: Answered & { readonly status: number }, nowMs: number): number | undefined {
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const ms = askedMs(answer, nowMs);
  return ms !== undefined && ms <= LONGEST_WAIT_MS ? ms / 1000 : undefined;
}
