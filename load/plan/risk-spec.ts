import * as z from 'zod';
import { option } from '../../lib/option.ts';
import { above0, onOff, time } from '../../lib/option-values.ts';

/** Options that lift a refusal of a load, and those that say when it is stopped. */
export const RiskSpec = z.object({
  takeOver: option(
    { flag: '--take-over', text: 'use endpoints that already hold a policy: that policy is lost', help: 'all' },
    onOff().default(false),
  ),
  allowDisruptivePolicy: option(
    {
      flag: '--allow-disruptive-policy',
      text: 'use a policy even if its name suggests that it shuts or bounces ports',
      help: 'all',
    },
    onOff().default(false),
  ),
  abortP99Ms: option(
    {
      flag: '--abort-p99 <time>',
      text: 'stop when the p99 of service time stays above this for 5 s',
      otherwise: 'never',
      help: 'all',
    },
    time('ms').optional(),
  ),
  abortErrorPercent: option(
    {
      flag: '--abort-errors <percent>',
      text: 'stop when more than this share of the answers within 5 s is 5xx',
      help: 'all',
    },
    above0(100).default(50),
  ),
});
