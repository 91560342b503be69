import type { Exchange } from '../../lib/client/types.ts';
import { defined } from '../../lib/defined.ts';
import { pageNumber } from '../../lib/text.ts';
import type { Ran } from '../driver/run.ts';
import type { Step } from '../steps/step.ts';
import { isNeeded } from './controls.ts';

/** More records than most lists hold; who takes fewer on a page is asked for fewer. */
const WHOLE = 100;

/** Sizes of pages that are tried, at most. */
const MOST_SIZES = 7;

/** Pages of the list that was asked for last. */
const pagesIn = (exchanges: readonly Exchange[]): number =>
  pageNumber(exchanges.findLast(({ request }) => request.op === 'list')?.request.path ?? '');

/** The sequence with pages of another size in its last list; undefined if it does not end with one. */
function sized(steps: readonly Step[], size: number | undefined): readonly Step[] | undefined {
  const last = steps.at(-1);
  if (last?.step !== 'look' || last.look.window !== 'list') return undefined;
  const { size: _, ...query } = last.look.query;
  return steps.with(-1, { ...last, look: { ...last.look, query: { ...query, ...defined({ size }) } } });
}

/** The sequence without the size that cuts its last list into pages. */
export const withoutSize = (steps: readonly Step[]): readonly Step[] => sized(steps, undefined) ?? steps;

/** How many pages a list has to take for a difference to show, as a clause; undefined if it shows on one page, or if nobody knows. */
export async function ofPages(
  steps: readonly Step[],
  { exchanges, difference }: Pick<Ran, 'exchanges' | 'difference'>,
  run: (steps: readonly Step[]) => Promise<Ran>,
  shows: (ran: Ran) => boolean,
): Promise<string | undefined> {
  const last = steps.at(-1);
  const whole = sized(steps, WHOLE);
  const from = pagesIn(exchanges);
  if (whole === undefined || from < 2 || last?.step !== 'look' || last.look.window !== 'list') return undefined;
  if (!(await isNeeded(steps, whole, run, shows, (ran) => pagesIn(ran.exchanges) === 1))) return undefined;
  // What is wrong with a page is not wrong with those before it.
  let most = (difference?.about.page ?? (difference?.about.kind === 'refused' ? from : 1)) - 1;
  let [shown, not] = [last.look.query.size ?? 0, WHOLE];
  for (let tries = 0; tries < MOST_SIZES && shown > 0 && not - shown > 1; tries += 1) {
    const size = Math.floor((shown + not) / 2);
    const ran = await run(sized(steps, size) ?? steps);
    if (shows(ran)) shown = size;
    else {
      not = size;
      most = Math.max(most, pagesIn(ran.exchanges));
    }
  }
  return `the list takes more than ${most < 2 ? 'one page' : `${most} pages`}`;
}
