import * as z from 'zod';
import { ConformanceResult, resultKey } from '../lib/records/conformance.ts';
import type { Subject } from './subject.ts';

const KEY = { checkId: true, family: true, variant: true } as const;

/** A result that accuses the target: fail, warn or error. */
export const Accusation = ConformanceResult.pick({ ...KEY, requirement: true }).extend({
  verdict: z.enum(['fail', 'warn', 'error']),
  /** What was expected and observed, or the reason. */
  text: z.string(),
});
export type Accusation = z.infer<typeof Accusation>;

/** A result that was asked for and proves nothing either way. */
const Open = ConformanceResult.pick(KEY).extend({
  verdict: z.enum(['blocked', 'inconclusive', 'error']),
  reason: z.string(),
});
export type Open = z.infer<typeof Open>;

export const accusationText = ({ verdict, requirement, text, ...key }: Accusation): string =>
  `${verdict} ${requirement}: ${resultKey(key)}: ${text}`;

/** What a run against a persona is scored by, besides its accusations. */
const Detail = z.object({
  open: z.array(Open),
  /** Records of the deployment that were not there before, and those that were and are gone or another; as `family/id`. */
  left: z.array(z.string()),
  harmed: z.array(z.string()),
  /** Cells that were exercised with a witness. */
  operations: z.int(),
  filters: z.int(),
});

export const Outcome = z.object({
  exit: z.int(),
  counts: z.record(z.string(), z.int()),
  accusations: z.array(Accusation),
  /** Checks and requirements of the passes, as `check requirement`; only for null targets. */
  passes: z.array(z.string()),
  /** Pairs of conditions that were tried; for the clean deployment. */
  pairs: z.object({ possible: z.int(), exercised: z.int() }).optional(),
  /** Faults that ended the run, by code. */
  faults: z.array(z.string()),
  residue: z.int(),
  /** The time of the subject was over before all checks had run. */
  timedOut: z.boolean(),
  requests: z.int(),
  /** How far a generated defect got: times its place was reached, its trigger held, and it made a difference. */
  exposure: z.object({ reached: z.int(), triggered: z.int(), changed: z.int() }).optional(),
  /** For personas, and for the clean deployment that they are compared with. */
  detail: Detail.optional(),
  durationMs: z.number(),
});
export type Outcome = z.infer<typeof Outcome>;

export interface Scored {
  readonly subject: Subject;
  readonly outcome: Outcome;
}
