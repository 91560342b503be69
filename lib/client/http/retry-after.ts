/** Longer waits are not waited for: the answer then stands. */
const LIMIT_SECONDS = 30;

/**
 * Seconds that an answer asks to wait with Retry-After, as a number of seconds or as an HTTP date (RFC 9110, 10.2.3);
 * undefined where it asks for none, or for more than is waited. `nowMs` is the time of day in milliseconds.
 */
export function retryAfterSeconds(
  { status, headers }: { readonly status: number; readonly headers: readonly (readonly [string, string])[] },
  nowMs: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const text = headers.find(([name]) => name === 'retry-after')?.[1]?.trim() ?? '';
  const until = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.max(0, Math.ceil((until - nowMs) / 1000));
  return seconds <= LIMIT_SECONDS ? seconds : undefined;
}
