import * as z from 'zod';
import { Depth, Mode, maybe } from './vocabulary.ts';

const Words = z.string().trim().min(1);
/** One name or several; `*` in it stands for any characters. */
const Names = z.union([Words, z.array(Words).min(1)]);

/** Failures that are expected for a while, with who answers for them. All that is named has to fit a failure. */
export const BaselineEntry = z
  .strictObject({
    /** Requirement, `*` in place of the family: `OP-*-C`. */
    requirement: Names.optional(),
    operation: Names.optional(),
    kind: Names.optional(),
    /** What the failure is about: `header accept`, `member description`, `filter name.EQ`. */
    subject: Names.optional(),
    /** Status with which a refused request is answered; absent: any. Another one is a new failure. */
    answers: z.union([z.int(), z.array(z.int()).min(1)]).optional(),
    /** Id of a check; only failures of these checks are expected. */
    check: Names.optional(),
    family: Names.optional(),
    /** One variant of the check; absent: any of them. */
    variant: Words.optional(),
    /** Further families in which the failure keeps results from being proven; those where it shows need no mention. */
    unproven: Names.optional(),
    /** Absent until somebody has given one: reports say so. */
    reason: Words.optional(),
    owner: Words.optional(),
    link: Words.optional(),
    /** Last day, YYYY-MM-DD, on which the failure is expected. */
    expires: z.iso.date(),
  })
  .refine(({ requirement, check, family }) => [requirement, check, family].some((name) => name !== undefined), {
    message: 'name a requirement, a check or a family',
  });
export type BaselineEntry = z.infer<typeof BaselineEntry>;

/** How much a night showed that was accepted as enough, and what kind of run it was; a baseline of before has the numbers alone. */
export const BaselineShown = z.strictObject({
  /** Operations, filters and sorts of which a request was tried and its answer told right from wrong. */
  shown: z.int().nonnegative(),
  /** Of how many that the run planned; it says nothing of a run that plans another number. */
  of: z.int().nonnegative(),
  undecided: z.int().nonnegative().default(0),
  mode: Mode.optional(),
  depth: Depth.optional(),
  /** Set of requirements that it was judged by: what fails of a later one is new in the suite, and not new since then. */
  requirements: z.string().optional(),
});
export type BaselineShown = z.infer<typeof BaselineShown>;

const EntryAt = BaselineEntry.safeExtend({ line: z.int().optional() });

/** `baseline.json`: the failures that the run was told to expect, and how much it has to show. */
export const Baseline = z.object({ file: z.string(), entries: z.array(EntryAt), least: BaselineShown.optional() });
export type Baseline = z.infer<typeof Baseline>;

/**
 * What became of an entry: `expected` it fails as said; `stale` all of it passes now; `expired` it fails and its time is
 * over; `changed` it fails in another way; `unused` the run did not decide it, or not all of it.
 */
export const BaselineOutcome = z.enum(['expected', 'stale', 'expired', 'changed', 'unused']);
export type BaselineOutcome = z.infer<typeof BaselineOutcome>;

/**
 * What the baseline says of a result. `unexpected`: no entry names the failure; `consequence`: not proven because of an expected one;
 * `new-requirement`: its requirement came after the set that the baseline was written by.
 */
export const Known = z.object({
  outcome: z.enum([...BaselineOutcome.options, 'unexpected', 'consequence', 'new-requirement']),
  ...maybe('reason', 'owner', 'link', 'expires'),
});
export type Known = z.infer<typeof Known>;

export const BaselineReport = z.object({
  file: z.string(),
  entries: z.array(
    EntryAt.safeExtend({
      outcome: BaselineOutcome,
      /** Keys of the failing results that it names. */
      results: z.array(z.string()),
      /** Where it has `changed`: the status, or else the kind of difference, that is there instead. */
      instead: z.array(z.string()).optional(),
    }),
  ),
  least: BaselineShown.optional(),
  /** Keys of the failing results that no valid entry expects. */
  unexpected: z.array(z.string()),
  /** Keys of the results against the target whose requirement is new in the suite; absent: none. */
  newRequirements: z.array(z.string()).optional(),
  /** Keys of the results that are not proven because of an expected failure. */
  consequences: z.array(z.string()),
});
export type BaselineReport = z.infer<typeof BaselineReport>;
