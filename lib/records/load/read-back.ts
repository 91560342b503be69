import * as z from 'zod';

/** How many, and the first ten of them. */
const Counted = z.object({ count: z.int(), examples: z.array(z.string()) });

/** The whole list held against what was acknowledged, after the load. */
export const Reconciliation = z.object({
  /** Endpoints whose last transaction was acknowledged. */
  acknowledged: z.int(),
  /** Those of them whose last transaction put the policy on; the others were cleared, in an earlier cell for example. */
  holding: z.int().optional(),
  /** Entries of the list, those of others among them. */
  listed: z.int(),
  pages: z.int(),
  requests: z.int(),
  seconds: z.number(),
  /** Acknowledged, and not in the list; cleared with success, and still in it. */
  lost: Counted.optional(),
  /** In the list although no apply of them was acknowledged. */
  unacknowledged: Counted.optional(),
  /** Another policy than the one applied, among so many that were read. */
  wrongPolicy: Counted.extend({ checked: z.int() }).optional(),
  /** In the list, and never touched by this run. */
  foreign: Counted.optional(),
  /** Could not be decided: the second walk did not come to its end. */
  indeterminate: Counted.optional(),
  /** As acknowledged only when looked at again. */
  late: z.int().optional(),
  /** Milliseconds after the first walk until the last of them was; null where none was late. */
  visibleAfterMs: z.number().nullable().optional(),
  /** `counts`: the list was not walked, but counted by beginnings of addresses, down to those that were not as acknowledged. */
  method: z.enum(['walk', 'counts']).optional(),
  skipped: z.string().optional(),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

export const ReadBack = z.object({
  /** Endpoints looked at after the load. */
  sampled: z.int(),
  /** Of those, in the state that the operation promises. */
  proven: z.int(),
  /** First few that were not. */
  mismatches: z.array(z.string()),
  /** Of those that were not, the ones that held a policy which the run put on no endpoint. */
  others: z.int().optional(),
  totalBefore: z.int().nullable(),
  totalAfter: z.int().nullable(),
  /** Change of the total by others before the load, entries a second: at most this, with 95 % confidence. */
  driftPerSecond: z.number().optional(),
  /** Milliseconds until the last of the endpoints that were late was as promised; absent where none was. */
  visibleAfterMs: z.number().optional(),
  reconciliation: Reconciliation.optional(),
  /** Endpoints whose transaction failed, by the place of the failure: looked at, and in the state that the operation promises. */
  refused: z.array(z.object({ failure: z.int(), looked: z.int(), done: z.int() })).optional(),
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
      skipped: z.string().optional(),
    })
    .optional(),
});
