import * as z from 'zod';
import { option } from '../../lib/option.ts';
import { choice, onOff, text, time } from '../../lib/option-values.ts';
import { RunOptions } from '../../lib/records/run-options.ts';
import { Mode } from '../../lib/records/vocabulary.ts';
import { templateOption } from './template-option.ts';

/** A conformance run: every option with its unit, bounds, default and description. */
export const ConformanceSpec = z.object({
  mode: option(
    {
      flag: '--mode <mode>',
      text: 'what may be written: read-only: nothing; own-data: records of this run; full: also ANC on the pool, and bulk',
      otherwise: 'read-only; full with the embedded deployment',
      env: 'ERS_MODE',
    },
    choice(Mode.options).optional(),
  ),
  families: RunOptions.shape.families,
  checks: RunOptions.shape.checks,
  exclude: RunOptions.shape.exclude,
  lastFailed: option(
    { flag: '--last-failed', text: 'only what failed in runs/latest, and what that rests on', once: true },
    onOff().default(false),
  ),
  depth: RunOptions.shape.depth,
  templates: templateOption,
  allowInconclusive: RunOptions.shape.allowInconclusive,
  allowResidue: RunOptions.shape.allowResidue,
  strict: RunOptions.shape.strict,
  baseline: option(
    {
      flag: '--baseline <file>',
      text: 'YAML file of expected failures; only other failures cause exit 1',
      env: 'ERS_BASELINE',
      path: true,
    },
    text().optional(),
  ),
  updateBaseline: option(
    {
      flag: '--update-baseline <file>',
      text: 'merge the failures of this run into a baseline, one entry per cause',
      path: true,
      once: true,
    },
    text().optional(),
  ),
  takeOver: option(
    { flag: '--take-over', text: 'clear endpoints that already hold a policy: that policy is lost', help: 'all' },
    onOff().default(false),
  ),
  retry: option(
    { flag: '--no-retry', text: 'do not retry failed checks (disables flaky detection)', help: 'all' },
    onOff().default(true),
  ),
  deadlineSeconds: option(
    { flag: '--deadline <time>', text: 'start no further check after this time', help: 'all' },
    time('s').default(1800),
  ),
});
export type ConformanceSpec = z.output<typeof ConformanceSpec>;
