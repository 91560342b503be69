/**
 * Aborts after so many milliseconds with a `TimeoutError`, or with `signal`. Keeps no process alive.
 *
 * Not `AbortSignal.timeout`: one that only `AbortSignal.any` follows is collected as garbage, and never aborts (seen with Node 20.20).
 * Here the timer holds it.
 */
export function timeLimit(ms: number, signal?: AbortSignal): AbortSignal {
  const limit = new AbortController();
  const end = () => limit.abort(new DOMException(`not through after ${ms / 1000} s`, 'TimeoutError'));
  setTimeout(end, ms).unref();
  return signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
}
