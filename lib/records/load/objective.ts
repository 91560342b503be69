import { durationMs } from '../../duration.ts';

/** A percentile of the response time and its limit: `p99=200ms`. */
export interface Objective {
  readonly percentile: 'p50' | 'p90' | 'p95' | 'p99' | 'p99.9';
  readonly limitMs: number;
}

/** How an objective is written. */
export const OBJECTIVE = /^(p50|p90|p95|p99|p99\.9)=(\d+(?:\.\d+)?)(ms|s)$/;

/** Reads an objective; undefined for anything else. */
export function objectiveOf(text: string): Objective | undefined {
  const found = OBJECTIVE.exec(text);
  if (found === null) return undefined;
  const limitMs = durationMs(`${found[2]}${found[3]}`) ?? Number.NaN;
  return { percentile: found[1] as Objective['percentile'], limitMs };
}
