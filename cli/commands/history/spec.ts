import * as z from 'zod';
import { type FailOn, readFailOn } from '../../../history/model/fail-on.ts';
import { option } from '../../../lib/option.ts';
import { text } from '../../../lib/option-values.ts';
import { JsonSpec } from '../../options/output-spec.ts';

const DAY_MS = 86_400_000;

/** A day (2026-01-31), or a number of days before now (90d), as ISO text; anything else as it is. */
function momentOf(given: unknown): unknown {
  const days = /^(\d{1,5})d$/.exec(String(given))?.[1];
  if (days !== undefined) return new Date(Date.now() - Number(days) * DAY_MS).toISOString();
  const moment = Date.parse(String(given));
  return /^\d{4}-\d\d-\d\d/.test(String(given)) && !Number.isNaN(moment) ? new Date(moment).toISOString() : given;
}

const since = z.preprocess(
  momentOf,
  z.iso.datetime({ error: 'expected a day such as 2026-01-31, or a number of days such as 90d' }),
);

const failOn = z.preprocess(
  (given) => (typeof given === 'string' ? readFailOn(given) : given),
  z.custom<FailOn>((read) => typeof read === 'object' && read !== null, {
    error: 'expected a list of new, worse and flaky>5%',
  }),
);

/** What `ers-harness history` shows of a history. */
export const HistoryCommandSpec = z.object({
  since: option(
    '--since <day|days>',
    'only runs from this day on (2026-01-31), or of the last days (90d)',
    since.optional(),
  ),
  failOn: option('--fail-on <list>', 'exit 1 on new, worse or flaky>5%, joined by commas', failOn.optional()),
  target: option('--target <text>', 'target whose name holds the text', text().optional(), {
    otherwise: 'that of the newest line',
  }),
  cell: option('--cell <text>', 'only load series whose name holds the text', text().optional()),
  cause: option('--cause <text>', 'only checks whose id holds the text', text().optional()),
  out: option('--out <dir>', 'folder for the page and the Markdown', text().optional(), {
    otherwise: 'the folder of the history',
  }),
  ctrf: option(
    '--ctrf <file>',
    'write the newest run as CTRF, with flake rates and durations over all runs as insights',
    text().optional(),
  ),
  ...JsonSpec.shape,
});
export type HistoryCommandSpec = z.output<typeof HistoryCommandSpec>;
