import * as z from 'zod';
import { option } from '../../../lib/option.ts';
import { choice, list, text, whole } from '../../../lib/option-values.ts';
import { PAIR_PERCENTILES, type PairPercentile } from '../../../reports/compare/pairs.ts';
import { JsonSpec } from '../../options/output-spec.ts';

const PERCENTILES = Object.keys(PAIR_PERCENTILES) as PairPercentile[];

/** What `ers-harness report compare` compares, and how. */
export const CompareSpec = z.object({
  html: option(
    {
      flag: '--html <file>',
      text: 'write the comparison as one HTML page, with the charts of both runs over each other',
    },
    text().optional(),
  ),
  alsoBefore: option(
    {
      flag: '--also-before <dir>',
      text: 'a further run of the first kind; from three on each side a cell may be called worse; repeatable',
    },
    list(text()).optional(),
  ),
  alsoAfter: option(
    { flag: '--also-after <dir>', text: 'a further run of the second kind; repeatable' },
    list(text()).optional(),
  ),
  pairs: option(
    {
      flag: '--pairs <n>',
      text: 'load two targets in turn, in at most this many pairs of runs, such as 12; before and after are URLs',
    },
    whole(2, 20).optional(),
  ),
  withinPercent: option(
    {
      flag: '--within <n>',
      text: 'with --pairs: percent within which the targets count as equivalent; half of it where chance does not explain the difference',
      help: 'all',
    },
    whole(1, 100).default(10),
  ),
  percentile: option(
    { flag: '--percentile <name>', text: `with --pairs: of the service time: ${PERCENTILES.join(', ')}`, help: 'all' },
    choice(PERCENTILES).default('p50'),
  ),
  out: option(
    { flag: '--out <dir>', text: 'with --pairs: folder for the runs', otherwise: 'runs/compare-<time>', help: 'all' },
    text().optional(),
  ),
  ...JsonSpec.shape,
});
export type CompareSpec = z.output<typeof CompareSpec>;
