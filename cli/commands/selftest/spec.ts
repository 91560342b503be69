import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { choice, flag, list, option, text, whole } from '../../../lib/option.ts';
import { Depth, Mode } from '../../../lib/records/vocabulary.ts';
import { JsonSpec, OutputSpec } from '../../options/specs.ts';

/** Random pairs of variations of a whole run, and of a sample. */
export const FULL_PAIRS = 40;
export const QUICK_PAIRS = 1;

export const SelftestSpec = z.object({
  quick: flag('--quick', 'run a sample drawn from the seed'),
  seed: option(
    '--seed <n>',
    'first of the seeds, and what samples and pairs are drawn from',
    whole(0, 0xfffffff0).default(1),
  ),
  defect: option('--defect <id>', 'only these defects, and the clean deployment; repeatable', list(text()).optional()),
  pairs: option(
    '--pairs <n>',
    'random pairs of variations, or with --personas of rules, 1000 for all',
    whole(0, 1000).optional(),
    { otherwise: `${FULL_PAIRS}, with --quick ${QUICK_PAIRS}, with --personas 20` },
  ),
  personas: flag('--personas', 'score what is known of the real product instead: releases, rules and pairs of rules'),
  persona: option(
    '--persona <name>',
    'only these personas and rules, one plus sign joins several; repeatable',
    list(text()).optional(),
  ),
  mode: option('--mode <mode>', 'with --personas, only these modes; repeatable', list(choice(Mode.options)).optional()),
  generated: flag(
    '--generated',
    'score a sample of the generated defects instead, each in a run narrowed to its families',
  ),
  heldOut: flag('--held-out', 'the same for defects of dimensions that no check was written with'),
  depth: option('--depth <depth>', 'depth of each run: quick, normal or deep', choice(Depth.options).optional(), {
    otherwise: 'normal, with --quick quick',
    help: 'all',
  }),
  sample: option('--sample <n>', 'defects of --generated or --held-out to run', whole(1, 100_000).default(300)),
  line: option(
    '--line <id>',
    'only this generated defect, by the id that a score prints; repeatable',
    list(text(), { commas: false }).optional(),
  ),
  familyFiles: option(
    '--families <file>',
    'only the imported families of these files, without what is of the twelve alone; repeatable',
    list(text()).optional(),
    { help: 'all' },
  ),
  workers: option('--workers <n>', 'processes', whole(1, 64).default(availableParallelism()), {
    otherwise: 'one for each core',
  }),
  out: option('--out <dir>', 'folder for selftest.json', text().optional()),
  ...JsonSpec.shape,
  quiet: OutputSpec.shape.quiet,
  color: OutputSpec.shape.color,
});
export type SelftestSpec = z.output<typeof SelftestSpec>;
