import * as z from 'zod';
import { Cost } from './selftest.ts';
import { ints, texts } from './vocabulary.ts';

/** A space of generated defects: of the dimensions that the checks were written with, and of those they were not. */
export const SpaceName = z.enum(['generated', 'held-out']);
export type SpaceName = z.infer<typeof SpaceName>;

/** Killed of a number of defects, with the 95 % Wilson interval of the share. */
export const Rate = z.object({ killed: z.int(), of: z.int(), low: z.number(), high: z.number() });
export type Rate = z.infer<typeof Rate>;

export const Survivor = z.object({
  ...texts('id', 'title'),
  families: z.array(z.string()),
  class: z.enum(['not-reached', 'not-triggered', 'not-changed', 'not-seen', 'cut']),
  reason: z.string(),
});
export type Survivor = z.infer<typeof Survivor>;

/** `generated.json`: how much of the space of generated defects the suite finds. Same seed, same score, but for `cost`. */
export const GeneratedScore = z.object({
  generatedVersion: z.literal(1),
  space: SpaceName,
  seed: z.int(),
  /** Defects that can be generated, and how many of them were run. */
  ...ints('population', 'sample'),
  /** Found at all, and found for a requirement that the defect violates. */
  total: Rate,
  bound: Rate,
  byTrigger: z.record(z.string(), Rate),
  /** The same, found for a requirement that the defect violates. */
  boundByOperator: z.record(z.string(), Rate),
  boundByTrigger: z.record(z.string(), Rate),
  survivors: z.array(Survivor),
  /** Defects that were found, and never for a requirement that they violate; with those that were named. */
  misnamed: z.array(z.object({ id: z.string(), violates: z.array(z.string()), named: z.array(z.string()) })),
  /** Accusations of the clean deployment in the same narrowed runs: each makes the score worthless. */
  alarms: z.array(z.string()),
  cost: Cost,
});
export type GeneratedScore = z.infer<typeof GeneratedScore>;
