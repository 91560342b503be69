import * as z from 'zod';

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
