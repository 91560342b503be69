import { z } from 'zod';

const Words = z.string().trim().min(1);

/** One failure that is expected for a while, with who answers for it. */
export const BaselineEntry = z.strictObject({
  /** Id of the check. */
  check: Words,
  family: Words,
  /** One variant of the check; absent: any of them. */
  variant: Words.optional(),
  reason: Words,
  owner: Words,
  link: Words,
  /** Last day, YYYY-MM-DD, on which the failure is expected. */
  expires: z.iso.date(),
});
export type BaselineEntry = z.infer<typeof BaselineEntry>;

/** `baseline.json`: the failures that the run was told to expect. */
export const Baseline = z.object({ file: z.string(), entries: z.array(BaselineEntry) });
export type Baseline = z.infer<typeof Baseline>;

/**
 * What became of an entry: `expected` it fails as said; `stale` it passes now; `expired` it fails and its time is over;
 * `unused` no result of the run decided it.
 */
export const BaselineOutcome = z.enum(['expected', 'stale', 'expired', 'unused']);
export type BaselineOutcome = z.infer<typeof BaselineOutcome>;

/**
 * What the baseline says of one result: the outcome of the entry that speaks of it, or `unexpected` for a failure that none does.
 * An entry that spans several variants is expected where one of them fails; those that pass carry nothing.
 */
export const Known = z.object({
  outcome: z.enum([...BaselineOutcome.options, 'unexpected']),
  reason: z.string().optional(),
  owner: z.string().optional(),
  link: z.string().optional(),
  expires: z.string().optional(),
});
export type Known = z.infer<typeof Known>;

/** The baseline's part of report.json. */
export const BaselineReport = z.object({
  file: z.string(),
  entries: z.array(
    BaselineEntry.extend({
      outcome: BaselineOutcome,
      /** Keys of the failing results that it speaks of. */
      results: z.array(z.string()),
    }),
  ),
  /** Keys of the failing results that no valid entry expects. */
  unexpected: z.array(z.string()),
});
export type BaselineReport = z.infer<typeof BaselineReport>;
