import * as z from 'zod';

/** Values of something else, taken beside a cell: seconds since it began, and the value. */
export const Series = z.object({
  name: z.string(),
  /** Value at which the thing is at its end; absent where nobody said. */
  limit: z.number().optional(),
  points: z.array(z.tuple([z.number(), z.number()])),
});
export type Series = z.infer<typeof Series>;

/** What was at its end when the knee came, by the series that were given. */
export const AtEnd = z.object({
  /** Series that came with a value, and those of them whose limit is known. */
  series: z.int(),
  limited: z.int(),
  /** Those that were at their limit in the steps that were too much, and in none that was far less. */
  reached: z.array(z.object({ name: z.string(), value: z.number(), limit: z.number() })),
});
export type AtEnd = z.infer<typeof AtEnd>;
