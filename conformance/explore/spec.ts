import * as z from 'zod';
import { choice, list, option, text, time, whole } from '../../lib/option.ts';
import { Mode } from '../../lib/records/vocabulary.ts';
import { templateOption } from '../engine/spec.ts';

const LARGEST_SEED = 0x7fff_ffff;

export const ExploreSpec = z.object({
  mode: option(
    '--mode <mode>',
    'own-data: create, change and remove records of this run; full: also ANC on the pool',
    choice(Mode.options).optional(),
    { otherwise: 'none: explore writes, and read-only is refused', env: 'ERS_MODE' },
  ),
  families: option('--family <name>', 'only these families; repeatable', list(text()).optional(), { otherwise: 'all' }),
  templates: templateOption,
  durationSeconds: option('--for <time>', 'how long to search', time('s').default(300)),
  most: option('--most <n>', 'end the search after this many findings', whole(1, 100).default(10), { help: 'all' }),
  seed: option('--seed <n>', 'seed of the sequences', whole(0, LARGEST_SEED).optional(), {
    otherwise: 'a new one for each run',
    once: true,
  }),
  path: option(
    '--path <path>',
    'go straight to one sequence; needs the --seed and --family of its finding',
    z
      .string()
      .regex(/^\d+(:\d+)*$/, 'a path is numbers with colons between them, such as 3')
      .optional(),
    { once: true },
  ),
  baseline: option(
    '--baseline <file>',
    'YAML file of expected failures; their requirements are not reported again',
    text().optional(),
    { env: 'ERS_BASELINE', path: true },
  ),
});
export type ExploreSpec = z.output<typeof ExploreSpec>;
