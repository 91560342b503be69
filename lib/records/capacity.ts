import { z } from 'zod';
import { CellReport } from './load.ts';
import { CellVerdict } from './vocabulary.ts';

/** What was found at one offered rate; figures are those of its last valid step, else of its last. */
export const CapacityRate = z.object({
  ratePerSecond: z.number(),
  held: z.int(),
  failed: z.int(),
  /** Steps that proved nothing: the generator or the run was at fault. */
  invalid: z.int(),
  achievedPerSecond: z.number(),
  /** What a target that was too slow got done each second all the same; null where it held, or failed otherwise. */
  carriedPerSecond: z.number().nullable(),
  serviceP50Ms: z.number().nullable(),
  responseP50Ms: z.number().nullable(),
  responseP99Ms: z.number().nullable(),
});
export type CapacityRate = z.infer<typeof CapacityRate>;

/** What so many connections carry, with what Little's law allows them. */
export const ConnectionRate = z.object({
  connections: z.int(),
  /** Highest rate that held; null where none of the tried ones did. */
  heldPerSecond: z.number().nullable(),
  /** The highest rate that was offered held: more may be possible. */
  atLeast: z.boolean(),
  /** Most successes per second that were seen, drops or not. */
  carriedPerSecond: z.number(),
  /** Mean service time of the rate that held; the shortest of the steps where none did. */
  meanServiceMs: z.number().nullable(),
  /** Connections divided by the mean service time. */
  littleBoundPerSecond: z.number().nullable(),
});
export type ConnectionRate = z.infer<typeof ConnectionRate>;

/** The capacity of one profile and operation: `capacity.answers[]` of report.json. */
export const CapacityAnswer = z.object({
  profile: z.string(),
  operation: z.string(),
  /** Met: a rate at or above the specification's held. */
  verdict: CellVerdict,
  targetPerSecond: z.number(),
  connections: z.int(),
  /** Highest rate that held below the first that did not; null where none did. */
  heldPerSecond: z.number().nullable(),
  /** First rate above it that did not hold. */
  failedPerSecond: z.number().nullable(),
  /** What ended the search: the target, the generator (no valid step above), or the highest rate allowed. */
  limit: z.enum(['target', 'generator', 'end']),
  /** The target may do more: it was not what ended the search. */
  atLeast: z.boolean(),
  /** Highest rate that held divided by the rate of the specification. */
  headroom: z.number().nullable(),
  /** Why the first rate above did not hold. */
  reasons: z.array(z.string()),
  /** Where the generator was the limit: share of all cores that k6 used in its busiest second there. */
  k6CpuShare: z.number().nullable(),
  rates: z.array(CapacityRate),
  sweep: z.array(ConnectionRate),
});
export type CapacityAnswer = z.infer<typeof CapacityAnswer>;

/** The capacity part of report.json. */
export const CapacityReport = z.object({
  verdict: z.union([CellVerdict, z.literal('not-tested')]),
  answers: z.array(CapacityAnswer),
  /** Every try of every step, in order. */
  steps: z.array(CellReport),
});
export type CapacityReport = z.infer<typeof CapacityReport>;
