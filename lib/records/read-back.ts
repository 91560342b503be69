import { z } from 'zod';
import { renamed } from './renamed.ts';

const Looks = z.object({
  /** Endpoints looked at after the load. */
  sampled: z.int(),
  /** Of those, in the state that the operation promises. */
  proven: z.int(),
  /** First few that were not. */
  mismatches: z.array(z.string()),
  totalBefore: z.int().nullable(),
  totalAfter: z.int().nullable(),
  /** Why there was no read-back. */
  skipped: z.string().optional(),
  /** What was seen of endpoints while the load ran; absent where nobody looked. */
  inFlight: z
    .object({
      /** Looks at an endpoint that had just been answered with success. */
      tried: z.int(),
      /** Those that told what the endpoint holds. */
      sampled: z.int(),
      /** Of those, in the promised state, at once or a second later. */
      proven: z.int(),
      /** Of the proven, only a second later. */
      late: z.int(),
      mismatches: z.array(z.string()),
      /** Why the looking was given up. */
      skipped: z.string().optional(),
    })
    .optional(),
});

/** What was seen of the endpoints of a cell, before, during and after the load; also as version 1 wrote it. */
export const ReadBack = z.preprocess(renamed({ during: 'inFlight' }), Looks);
