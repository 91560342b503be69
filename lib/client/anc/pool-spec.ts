import * as z from 'zod';
import { flag } from '../../option.ts';
import { RunOptions } from '../../records/run-options.ts';

/** What ANC operations may touch. There is no default: they act on live endpoints. */
export const PoolSpec = z.object({
  endpoints: RunOptions.shape.endpoints,
  policies: RunOptions.shape.policies,
  allowForeignEndpoints: flag(
    '--allow-foreign-endpoints',
    'use addresses that are not locally administered: they may be real devices',
    { help: 'all' },
  ),
});
export type PoolSpec = z.output<typeof PoolSpec>;
