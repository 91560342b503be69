import * as z from 'zod';
import { choice, list, onOff, option, text, time } from '../../lib/option.ts';
import { RunOptions } from '../../lib/records/run-options.ts';
import { Mode } from '../../lib/records/vocabulary.ts';

/** Records that creates start from, for a target that refuses the usual bodies. */
export const templateOption = option(
  '--template <file>',
  'a record in JSON, as a read answers it, that creates of its family start from; repeatable',
  list(text()).default([]),
  { otherwise: 'what the target is seen to take', path: true, help: 'all' },
);

export const ConformanceSpec = z.object({
  mode: option(
    '--mode <mode>',
    'what may be written: read-only: nothing; own-data: records of this run; full: also ANC on the pool, and bulk',
    choice(Mode.options).optional(),
    { otherwise: 'read-only; full with the embedded deployment', env: 'ERS_MODE' },
  ),
  families: RunOptions.shape.families,
  checks: RunOptions.shape.checks,
  exclude: RunOptions.shape.exclude,
  lastFailed: option(
    '--last-failed',
    'only what failed in runs/latest, and what that rests on',
    onOff().default(false),
    { once: true },
  ),
  depth: RunOptions.shape.depth,
  templates: templateOption,
  allowInconclusive: RunOptions.shape.allowInconclusive,
  allowResidue: RunOptions.shape.allowResidue,
  requirements: RunOptions.shape.requirements,
  strict: RunOptions.shape.strict,
  baseline: option(
    '--baseline <file>',
    'YAML file of expected failures; only other failures cause exit 1',
    text().optional(),
    { env: 'ERS_BASELINE', path: true },
  ),
  updateBaseline: option(
    '--update-baseline <file>',
    'merge the failures of this run into a baseline',
    text().optional(),
    { path: true, once: true },
  ),
  takeOver: option(
    '--take-over',
    'clear endpoints that already hold a policy: that policy is lost',
    onOff().default(false),
    { help: 'all' },
  ),
  retry: option('--no-retry', 'do not retry failed checks (disables flaky detection)', onOff().default(true), {
    help: 'all',
  }),
  deadlineSeconds: option('--deadline <time>', 'end the checks after this time', time('s').default(1800), {
    help: 'all',
  }),
});
export type ConformanceSpec = z.output<typeof ConformanceSpec>;
