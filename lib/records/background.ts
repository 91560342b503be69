import { z } from 'zod';

/** `cells/<id>/facts.json`, what went on beside the load: one entry for each kind of request. */
export const BesideFacts = z.object({
  kind: z.enum(['list', 'read', 'create', 'update', 'delete']),
  /** Requests that were answered as they should be; request sent to last byte, microseconds. */
  serviceUs: z.array(z.int()),
  failed: z.int(),
  /** Words of the first failure. */
  example: z.string().optional(),
});
export type BesideFacts = z.infer<typeof BesideFacts>;
