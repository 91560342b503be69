import * as z from 'zod';
import { durationMs } from '../../text.ts';
import { BodyKind, ints } from '../vocabulary.ts';

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

/** Why a transaction failed: `state` is "already associated" and the like, apart from capacity. */
export const FailureKind = z.enum([
  'state',
  'client-error',
  'auth',
  'throttled',
  'server-error',
  'timeout',
  'transport',
  'unexpected-status',
]);
export type FailureKind = z.infer<typeof FailureKind>;

/** Transactions that failed alike, as they were recorded. */
export const Failure = z.object({
  kind: FailureKind,
  status: z.int(),
  /** The generator's code of an answer that did not come, or of what it says. */
  errorCode: z.string(),
  count: z.int(),
  example: z.string().optional(),
  /** Kind of the body, and what Retry-After says: seconds, or `date`; absent if there was none. */
  body: BodyKind.optional(),
  retryAfter: z.string().optional(),
});

/** The same as judged, of the measured window. */
export const CellFailure = Failure.partial({ errorCode: true }).extend({
  /** Median of their service time. */
  p50Ms: z.number().optional(),
  /** Endpoints of them that were looked at afterwards, and those in the state that the operation promises. */
  effect: z.object({ looked: z.int(), done: z.int() }).optional(),
});

const Counted = z.object({ count: z.int(), examples: z.array(z.string()) });

/** The whole list compared with what was acknowledged, after the load. */
export const Reconciliation = z.object({
  /** Endpoints whose last transaction was acknowledged. */
  acknowledged: z.int(),
  /** Those of them whose last transaction put the policy on; the others were cleared, in an earlier cell for example. */
  holding: z.int().optional(),
  /** Entries of the list, those of others among them. */
  listed: z.int(),
  ...ints('pages', 'requests'),
  seconds: z.number(),
  /** Acknowledged, and not in the list; cleared with success, and still in it. */
  lost: Counted.optional(),
  unacknowledged: Counted.optional(),
  /** Another policy than the one applied, among so many that were read. */
  wrongPolicy: Counted.extend({ checked: z.int() }).optional(),
  foreign: Counted.optional(),
  /** Could not be decided: the second walk did not come to its end. */
  indeterminate: Counted.optional(),
  /** As acknowledged only when looked at again. */
  late: z.int().optional(),
  /** Milliseconds after the first walk until the last of them was; null if none was late. */
  visibleAfterMs: z.number().nullable().optional(),
  /** `counts`: the list was not walked, but counted by beginnings of addresses, down to those that were not as acknowledged. */
  method: z.enum(['walk', 'counts']).optional(),
  skipped: z.string().optional(),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

/** What stands for the mismatches of endpoints that no success was to change. */
export const NO_SUCCESS = 'no transaction succeeded';

export const ReadBack = z.object({
  /** Endpoints looked at after the load. */
  sampled: z.int(),
  /** Of those, in the state that the operation promises. */
  proven: z.int(),
  mismatches: z.array(z.string()),
  /** Of those that were not, the ones that held a policy which the run put on no endpoint. */
  others: z.int().optional(),
  totalBefore: z.int().nullable(),
  totalAfter: z.int().nullable(),
  /** Change of the total by others before the load, entries a second: at most this, with 95 % confidence. */
  driftPerSecond: z.number().optional(),
  /** Milliseconds until the last of the endpoints that were late was as promised; absent if none was. */
  visibleAfterMs: z.number().optional(),
  reconciliation: Reconciliation.optional(),
  /** Endpoints whose transaction failed, by the place of the failure: looked at, and in the state that the operation promises. */
  refused: z.array(z.object({ failure: z.int(), looked: z.int(), done: z.int() })).optional(),
  skipped: z.string().optional(),
  /** What was seen of endpoints while the load ran; absent if nobody looked. */
  inFlight: z
    .object({
      tried: z.int(),
      /** Those that told what the endpoint holds. */
      sampled: z.int(),
      proven: z.int(),
      /** Of the proven, not at the first look. */
      late: z.int(),
      mismatches: z.array(z.string()),
      skipped: z.string().optional(),
    })
    .optional(),
});

/** Values of something else, taken beside a cell: seconds since it began, and the value. */
export const Series = z.object({
  name: z.string(),
  /** Value at which the thing is at its end; absent if nobody said. */
  limit: z.number().optional(),
  points: z.array(z.tuple([z.number(), z.number()])),
});
export type Series = z.infer<typeof Series>;

/** What was at its end when the knee came, by the series that were given. */
export const AtEnd = z.object({
  /** Series that came with a value, and those of them whose limit is known. */
  ...ints('series', 'limited'),
  /** Those that were at their limit in the steps that were too much, and in none that was far less. */
  reached: z.array(z.object({ name: z.string(), value: z.number(), limit: z.number() })),
});
export type AtEnd = z.infer<typeof AtEnd>;

/** One second of a running cell, as far as k6 has reported it. */
export interface CellProgress {
  readonly second: number;
  readonly startedPerSecond: number;
  readonly dropped: number;
  readonly failed: number;
  /** Arrivals that are due, and neither ended nor dropped; null before the first one and during the ramp-up. */
  readonly inFlight: number | null;
  /** Service time of the transactions that ended in this second; null when none did. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export const Sizing = z.object({
  /** Most connections in all, as set; absent if the number follows from the latency. */
  given: z.int().optional(),
  /** Median latency of the probe before the load, milliseconds; absent if nothing was answered. */
  latencyMs: z.number().optional(),
  /** Connections of the harness beside those of the arrivals, for looks at endpoints. */
  beside: z.int(),
  /** So many were tried and so many of them answered, the others reset or refused meanwhile; absent if all were answered. */
  refused: z.object({ asked: z.int(), served: z.int() }).optional(),
  /** More than the latency of the probe asks for, because an earlier try dropped arrivals. */
  raised: z.literal(true).optional(),
});
export type Sizing = z.infer<typeof Sizing>;

/** Times of one latency that a connection is planned for: under load answers take longer than alone. */
export const LATENCY_MARGIN = 2;
/** Pause of a target that the connections ride out: any garbage collector makes one as long. */
export const PAUSE_MS = 100;
