import * as z from 'zod';
import { option } from '../../lib/option.ts';
import { choice, list, onOff, text, time, whole } from '../../lib/option-values.ts';
import { Depth, Mode } from '../../lib/records/vocabulary.ts';
import { templateOption } from './template-option.ts';

/** A conformance run: every option with its unit, bounds, default and description. */
export const ConformanceSpec = z.object({
  mode: option(
    {
      flag: '--mode <mode>',
      text: 'read-only: GET only; own-data: also create, change and remove records of this run; full: also ANC on the pool, and bulk',
      otherwise: 'read-only; full with the embedded deployment',
      env: 'ERS_MODE',
    },
    choice(Mode.options).optional(),
  ),
  families: option(
    { flag: '--family <name>', text: 'only these families; repeatable', otherwise: 'all' },
    list(text()).optional(),
  ),
  checks: option(
    {
      flag: '--check <id>',
      text: 'only these checks, or those with a prefix such as list/; repeatable',
      otherwise: 'all',
    },
    list(text()).optional(),
  ),
  depth: option(
    {
      flag: '--depth <depth>',
      text: 'quick: each requirement once; normal: also after every kind of write; deep: in more ways after each',
      env: 'ERS_DEPTH',
    },
    choice(Depth.options).default('normal'),
  ),
  templates: templateOption,
  allowInconclusive: option(
    { flag: '--allow-inconclusive <n>', text: 'number of stated results that may stay undecided with exit 0' },
    whole(0).default(0),
  ),
  allowResidue: option(
    {
      flag: '--allow-residue <n>',
      text: 'number of records that may be left on the target with exit 0; a baseline accepts none',
    },
    whole(0).default(0),
  ),
  strict: option({ flag: '--strict', text: 'a violated implied requirement fails the run' }, onOff().default(false)),
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
    { flag: '--take-over', text: 'clear endpoints that already hold a policy: that policy is lost' },
    onOff().default(false),
  ),
  retry: option(
    { flag: '--no-retry', text: 'do not retry failed checks (disables flaky detection)' },
    onOff().default(true),
  ),
  deadlineSeconds: option(
    { flag: '--deadline <time>', text: 'start no further check after this time' },
    time('s').default(1800),
  ),
});
export type ConformanceSpec = z.output<typeof ConformanceSpec>;
