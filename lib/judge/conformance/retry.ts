import type { ConformanceResult } from '../../records/conformance.ts';

/** What the second try of a failure showed, in one line; undefined where the run tries none again. */
export function secondTryWords({ flaky, retry }: Pick<ConformanceResult, 'flaky' | 'retry'>): string | undefined {
  if (flaky === true) return 'flaky: it failed, then passed on retry; it still counts as a failure';
  if (retry === undefined) return undefined;
  const { verdict, skipped, reason } = retry;
  if (verdict === undefined) return `not retried: ${skipped ?? 'no reason is recorded'}`;
  return verdict === 'fail'
    ? 'failed again on retry'
    : `on retry: ${verdict}${reason === undefined ? '' : `: ${reason}`}`;
}

/** How many of failures are flaky, as an addition to their number; empty where none is. */
export function flakyShare(results: readonly ConformanceResult[]): string {
  const flaky = results.filter((result) => result.flaky === true).length;
  return flaky === 0 ? '' : ` (${flaky} of them flaky: passed on retry)`;
}
