import * as z from 'zod';
import { BodyKind } from '../vocabulary.ts';

/** Why a transaction failed: `state` is "already associated" and the like, apart from capacity. */
export const FailureKind = z.enum([
  'state',
  'client-error',
  'auth',
  'throttled',
  'server-error',
  'timeout',
  'transport',
  'unexpected-status',
]);
export type FailureKind = z.infer<typeof FailureKind>;

/** Transactions that failed alike, as they were recorded. */
export const Failure = z.object({
  kind: FailureKind,
  status: z.int(),
  /** The generator's code of an answer that did not come, or of what it says. */
  errorCode: z.string(),
  count: z.int(),
  example: z.string().optional(),
  /** Kind of the body, and what Retry-After says: seconds, or `date`; absent where there was none. */
  body: BodyKind.optional(),
  retryAfter: z.string().optional(),
});

/** The same as judged, of the measured window. */
export const CellFailure = Failure.partial({ errorCode: true }).extend({
  /** Median of their service time. */
  p50Ms: z.number().optional(),
  /** Endpoints of them that were looked at afterwards, and those in the state that the operation promises. */
  effect: z.object({ looked: z.int(), done: z.int() }).optional(),
});
