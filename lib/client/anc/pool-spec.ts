import * as z from 'zod';
import { option } from '../../option.ts';
import { onOff, text } from '../../option-values.ts';

/** What ANC operations may touch. There is no default: they act on live endpoints. */
export const PoolSpec = z.object({
  endpoints: option(
    {
      flag: '--endpoints <file|range>',
      text: 'endpoints that ANC may touch: a file of MAC[,IP] lines, or 02:00:00:00:00:00+60000[@10.0.0.0]',
      env: 'ERS_ENDPOINTS',
      path: true,
    },
    text().optional(),
  ),
  policy: option(
    { flag: '--policy <name>', text: 'ANC policy to apply to the endpoints', env: 'ERS_POLICY' },
    text().optional(),
  ),
  allowForeignEndpoints: option(
    {
      flag: '--allow-foreign-endpoints',
      text: 'use addresses that are not locally administered: they may be real devices',
    },
    onOff().default(false),
  ),
});
export type PoolSpec = z.output<typeof PoolSpec>;
