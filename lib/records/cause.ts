import * as z from 'zod';

/** Failures that probably have one cause. */
export const Cause = z.object({
  /** Name of the cause, the same in every run: the signature that most of its failures have, such as `FOP-EQ/records`. */
  id: z.string(),
  /** What goes wrong, in words. */
  title: z.string(),
  /** Requirement and kind of difference of its failures, most frequent first. */
  signatures: z.array(z.string()),
  /** Requirements that it violates; `*` stands for the family. */
  requirements: z.array(z.string()),
  families: z.array(z.string()),
  checks: z.array(z.string()),
  /** Keys of its failures. */
  results: z.array(z.string()),
  /** The baseline expects them. */
  expected: z.boolean(),
});
export type Cause = z.infer<typeof Cause>;
