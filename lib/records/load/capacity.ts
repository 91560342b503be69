import * as z from 'zod';
import { Statement } from '../answer.ts';
import { CellVerdict, ints, nullables, numbers, texts } from '../vocabulary.ts';
import { CellReport } from './load.ts';
import { AtEnd, CellFailure, FailureKind } from './parts.ts';

/** What was found at one offered rate; figures are those of its last valid step, else of its last. */
export const CapacityRate = z.object({
  ratePerSecond: z.number(),
  ...ints('held', 'failed'),
  /** Steps that proved nothing: the generator or the run was at fault. */
  invalid: z.int(),
  achievedPerSecond: z.number(),
  /** What a target that was too slow still got done each second; null if it held, or failed otherwise. */
  carriedPerSecond: z.number().nullable(),
  ...nullables('serviceP50Ms', 'responseP50Ms', 'responseP99Ms'),
  /** Percentiles with fewer than 100 samples above them. */
  fewSamples: z.array(z.string()).optional(),
});
export type CapacityRate = z.infer<typeof CapacityRate>;

export const Recovery = z.object({
  cell: z.string(),
  ...numbers('overPerSecond', 'overSeconds', 'afterPerSecond'),
  /** What counts as back, from the highest p99 of a second before the overload. */
  limitMs: z.number().nullable(),
  /** Seconds until p99 was back; null if it was not while it was watched, or the cell was not valid. */
  seconds: z.number().nullable(),
  ...numbers('watchedSeconds', 'unserved'),
  valid: z.boolean(),
  /** Share of the arrivals of the last third after it that were not served. */
  unservedAfter: z.number().optional(),
});
export type Recovery = z.infer<typeof Recovery>;

/** What arrivals are dropped for near the knee: a target that stops for moments, or one that gets no more done. */
export const Limiter = z.object({
  kind: z.enum(['stalls', 'throughput']),
  /** Stalls in all steps: how many, their median and their longest, milliseconds. */
  stalls: z.int(),
  ...nullables('medianMs', 'longestMs'),
});
export type Limiter = z.infer<typeof Limiter>;

/** The run at the claimed rate that ends a search; the last of several. */
export const Confirmation = z.object({
  ...numbers('ratePerSecond', 'seconds'),
  outcome: z.enum(['held', 'failed', 'invalid']),
  stalls: z.int(),
  /** Share of its spells of five seconds that may still fail, 95 %; 1 if it did not hold. */
  unseenShare: z.number(),
  /** Higher rates that were tried before it and did not hold for so long. */
  steppedDown: z.int(),
});
export type Confirmation = z.infer<typeof Confirmation>;

/** One way in which a target refuses, or does not serve, what is too much for it. */
export const Refusal = CellFailure.omit({ count: true, kind: true }).extend({
  /** `queued`: nothing refused, answers ever later; `collapse`: much less done than at the claim; `lost`: a success without effect. */
  kind: z.union([FailureKind, z.enum(['queued', 'collapse', 'lost'])]),
  /** Lowest rate at which it was seen, and its largest share of a cell's transactions; of a collapse, of the claim that is not done. */
  ...numbers('fromPerSecond', 'mostShare'),
  cell: z.string(),
});
export type Refusal = z.infer<typeof Refusal>;

/** The capacity of one profile and operation: `capacity.answers[]` of report.json. */
export const CapacityAnswer = z.object({
  ...texts('profile', 'operation'),
  /** Met: a rate at or above the specification's held. */
  verdict: CellVerdict,
  targetPerSecond: z.number(),
  /** The answer in a sentence; the judge of a whole run adds it. */
  said: Statement.optional(),
  connections: z.int(),
  /** The rate that is claimed: the one that was confirmed, else the highest that held below the first that did not; null if none did. */
  heldPerSecond: z.number().nullable(),
  failedPerSecond: z.number().nullable(),
  /** What ended the search: the target, the generator (no valid step above), or the highest rate allowed. */
  limit: z.enum(['target', 'generator', 'end']),
  /** Highest rate that the pool has endpoints for; absent if something else bounds the search. */
  poolAllowsPerSecond: z.number().optional(),
  /** The target may do more: it was not what ended the search. */
  atLeast: z.boolean(),
  /** Highest rate that held divided by the rate of the specification. */
  headroom: z.number().nullable(),
  reasons: z.array(z.string()),
  /** Where the generator was the limit: share of all cores that k6 used in its busiest second there. */
  k6CpuShare: z.number().nullable(),
  rates: z.array(CapacityRate),
  /** False if a side of the knee was not repeated until two steps agreed: then the search decides nothing. */
  settled: z.boolean().optional(),
  /** Highest rate that the short steps of the search held. */
  searchedPerSecond: z.number().nullable().optional(),
  confirmation: Confirmation.optional(),
  recovery: Recovery.optional(),
  atEnd: AtEnd.optional(),
  refusals: z.array(Refusal).optional(),
  /** Absent if no step failed for being slow. */
  limiter: Limiter.optional(),
});
export type CapacityAnswer = z.infer<typeof CapacityAnswer>;

export const CapacityReport = z.object({
  verdict: z.union([CellVerdict, z.literal('not-tested')]),
  answers: z.array(CapacityAnswer),
  steps: z.array(CellReport),
});
export type CapacityReport = z.infer<typeof CapacityReport>;

/** Requests of the searched operation that the embedded deployment takes a second in a search, so that there is a limit to find. */
export const EMBEDDED_RATE = 400;
