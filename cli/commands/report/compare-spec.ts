import * as z from 'zod';
import { option } from '../../../lib/option.ts';
import { choice, list, text, whole } from '../../../lib/option-values.ts';
import { PAIR_PERCENTILES, type PairPercentile } from '../../../reports/compare/pairs.ts';
import { JsonSpec } from '../../options/output-spec.ts';

const PERCENTILES = Object.keys(PAIR_PERCENTILES) as PairPercentile[];

/** What `ers-harness report compare` compares, and how. */
export const CompareSpec = z.object({
  html: option(
    '--html <file>',
    'write the comparison as one HTML page, with the charts of both runs over each other',
    text().optional(),
  ),
  alsoBefore: option(
    '--also-before <dir>',
    'a further run of the first kind; from three on each side a cell may be called worse; repeatable',
    list(text()).optional(),
  ),
  alsoAfter: option('--also-after <dir>', 'a further run of the second kind; repeatable', list(text()).optional()),
  pairs: option(
    '--pairs <n>',
    'load two targets in turn, in at most this many pairs of runs, such as 12; before and after are URLs',
    whole(2, 20).optional(),
  ),
  withinPercent: option(
    '--within <n>',
    'with --pairs: percent within which the targets count as equivalent; half of it where chance does not explain the difference',
    whole(1, 100).default(10),
    { help: 'all' },
  ),
  percentile: option(
    '--percentile <name>',
    `with --pairs: of the service time: ${PERCENTILES.join(', ')}`,
    choice(PERCENTILES).default('p50'),
    { help: 'all' },
  ),
  out: option('--out <dir>', 'with --pairs: folder for the runs', text().optional(), {
    otherwise: 'runs/compare-<time>',
    help: 'all',
  }),
  ...JsonSpec.shape,
});
export type CompareSpec = z.output<typeof CompareSpec>;
