import { option } from '../../lib/option.ts';
import { list, text } from '../../lib/option-values.ts';

/** Records that creates start from, for a target that refuses the usual bodies. */
export const templateOption = option(
  '--template <file>',
  'a record in JSON, as a read answers it, that creates of its family start from; repeatable',
  list(text()).default([]),
  { otherwise: 'what the target is seen to take', path: true, help: 'all' },
);
