import { durationMs } from '../../numbers.ts';

const PERCENTILE = String.raw`(p50|p90|p95|p99|p99\.9)=(\d+(?:\.\d+)?)(ms|s)`;
const ERRORS = String.raw`errors=(\d{1,2}(?:\.\d+)?)%`;

export const OBJECTIVE = new RegExp(`^(?:${PERCENTILE}|${ERRORS})$`);

/** Reads an objective of the response time, a percentile and its limit such as `p99=200ms`; undefined for anything else. */
export function objectiveOf(text: string) {
  const found = new RegExp(`^${PERCENTILE}$`).exec(text);
  if (found === null) return undefined;
  const limitMs = durationMs(`${found[2]}${found[3]}`) ?? Number.NaN;
  return { percentile: found[1] as 'p50' | 'p90' | 'p95' | 'p99' | 'p99.9', limitMs };
}

/** Share of the arrivals that may fail, by the strictest objective for it: `errors=0.1%` is 0.001; undefined if there is none. */
export function errorBudget(slo: readonly string[]): number | undefined {
  const shares = slo.flatMap((text) => {
    const found = new RegExp(`^${ERRORS}$`).exec(text);
    return found === null ? [] : [Number(found[1]) / 100];
  });
  return shares.length === 0 ? undefined : Math.min(...shares);
}
