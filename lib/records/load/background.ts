import * as z from 'zod';

/** `cells/<id>/facts.json`, background traffic: one entry for each kind of request. */
export const BackgroundFacts = z.object({
  kind: z.enum(['list', 'read', 'create', 'update', 'delete']),
  /** Requests that were answered as they should be; request sent to last byte, microseconds. */
  serviceUs: z.array(z.int()),
  failed: z.int(),
  example: z.string().optional(),
});
export type BackgroundFacts = z.infer<typeof BackgroundFacts>;
