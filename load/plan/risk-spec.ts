import * as z from 'zod';
import { option } from '../../lib/option.ts';
import { above0, onOff, time } from '../../lib/option-values.ts';

/** Options that lift a refusal of a load, and those that say when it is stopped. */
export const RiskSpec = z.object({
  takeOver: option(
    '--take-over',
    'use endpoints that already hold a policy: that policy is lost',
    onOff().default(false),
    { help: 'all' },
  ),
  allowDisruptivePolicy: option(
    '--allow-disruptive-policy',
    'use a policy even if its name suggests that it shuts or bounces ports',
    onOff().default(false),
    { help: 'all' },
  ),
  abortP99Ms: option(
    '--abort-p99 <time>',
    'stop when the p99 of service time stays above this for 5 s',
    time('ms').optional(),
    { otherwise: 'never', help: 'all' },
  ),
  abortErrorPercent: option(
    '--abort-errors <percent>',
    'stop when more than this share of the answers within 5 s is 5xx',
    above0(100).default(50),
    { help: 'all' },
  ),
});
