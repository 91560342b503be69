import * as z from 'zod';
import { templateOption } from '../conformance/engine/template-option.ts';
import { option } from '../lib/option.ts';
import { choice, list, text, time, whole } from '../lib/option-values.ts';
import { Mode } from '../lib/records/vocabulary.ts';

const LARGEST_SEED = 0x7fff_ffff;

/** A search: every option with its unit, bounds, default and description. */
export const ExploreSpec = z.object({
  mode: option(
    {
      flag: '--mode <mode>',
      text: 'own-data: create, change and remove records of this run; full: also ANC on the pool',
      otherwise: 'none: explore writes, and read-only is refused',
      env: 'ERS_MODE',
    },
    choice(Mode.options).optional(),
  ),
  families: option(
    { flag: '--family <name>', text: 'only these families; repeatable', otherwise: 'all' },
    list(text()).optional(),
  ),
  templates: templateOption,
  durationSeconds: option({ flag: '--for <time>', text: 'how long to search' }, time('s').default(300)),
  most: option(
    { flag: '--most <n>', text: 'end the search after this many findings', help: 'all' },
    whole(1, 100).default(10),
  ),
  seed: option(
    { flag: '--seed <n>', text: 'seed of the sequences', otherwise: 'a new one for each run', once: true },
    whole(0, LARGEST_SEED).optional(),
  ),
  path: option(
    {
      flag: '--path <path>',
      text: 'go straight to one sequence; needs the --seed and --family of its finding',
      once: true,
    },
    z
      .string()
      .regex(/^\d+(:\d+)*$/, 'a path is numbers with colons between them, such as 3')
      .optional(),
  ),
  baseline: option(
    {
      flag: '--baseline <file>',
      text: 'YAML file of expected failures; their requirements are not reported again',
      env: 'ERS_BASELINE',
      path: true,
    },
    text().optional(),
  ),
});
export type ExploreSpec = z.output<typeof ExploreSpec>;
