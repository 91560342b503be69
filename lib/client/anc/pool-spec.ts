import * as z from 'zod';
import { option } from '../../option.ts';
import { onOff } from '../../option-values.ts';
import { RunOptions } from '../../records/run-options.ts';

/** What ANC operations may touch. There is no default: they act on live endpoints. */
export const PoolSpec = z.object({
  endpoints: RunOptions.shape.endpoints,
  policies: RunOptions.shape.policies,
  allowForeignEndpoints: option(
    '--allow-foreign-endpoints',
    'use addresses that are not locally administered: they may be real devices',
    onOff().default(false),
    { help: 'all' },
  ),
});
export type PoolSpec = z.output<typeof PoolSpec>;
