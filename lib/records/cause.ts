import * as z from 'zod';
import { DifferenceKind, textLists } from './vocabulary.ts';

export const Cause = z.object({
  /** Name of the cause, the same in every run: `CNV-HDR create refused: header accept`. */
  id: z.string(),
  title: z.string(),
  /** Requirements that it violates, most frequent first; `*` stands for the family. */
  requirements: z.array(z.string()),
  /** The operation and the kind of difference that its failures have in common; absent if they have none. */
  operation: z.string().optional(),
  kind: DifferenceKind.optional(),
  /** What its failures are about, most frequent first: `header accept`, `filter name.EQ`. */
  subjects: z.array(z.string()),
  ...textLists('families', 'checks', 'results'),
  /** The failure that tells most, and the exchange that shows it. */
  example: z.object({ result: z.string(), exchange: z.string().optional() }).optional(),
  expected: z.boolean(),
});
export type Cause = z.infer<typeof Cause>;
