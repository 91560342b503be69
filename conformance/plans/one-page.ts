import type { Exchange } from '../../lib/client/types.ts';
import { defined } from '../../lib/defined.ts';
import { pageNumber } from '../../lib/text.ts';
import type { Ran } from '../driver/run.ts';
import type { Step } from '../steps/step.ts';
import { isNeeded } from './controls.ts';

/** More records than most lists hold; who takes fewer on a page is asked for fewer. */
const WHOLE = 100;

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

/** Pages that are right before what is wrong with a list: a list of no more would be right. */
function rightPages({ exchanges, difference, grounds }: Shown): number {
  const { kind, page } = difference?.about ?? {};
  if (page !== undefined) return page - 1;
  if (kind === 'refused') return pagesIn(exchanges) - 1;
  const observation = grounds?.observation;
  if (kind !== 'records' || observation?.question.window !== 'list' || !('pages' in observation.shown)) return 1;
  // A record is missing behind the last page that is full.
  const [first, ...more] = observation.shown.pages;
  return 1 + more.filter(({ length }) => length === first?.length).length;
}

type Shown = Pick<Ran, 'exchanges' | 'difference' | 'grounds'>;

/** How many pages a list has to take for a difference to show, as a clause; undefined if it shows on one page, or if nobody knows. */
export async function ofPages(
  steps: readonly Step[],
  shown: Shown,
  run: (steps: readonly Step[]) => Promise<Ran>,
  shows: (ran: Ran) => boolean,
): Promise<string | undefined> {
  const whole = sized(steps, WHOLE);
  if (whole === undefined || pagesIn(shown.exchanges) < 2) return undefined;
  if (!(await isNeeded(steps, whole, run, shows, (ran) => pagesIn(ran.exchanges) === 1))) return undefined;
  const most = rightPages(shown);
  return `the list takes more than ${most < 2 ? 'one page' : `${most} pages`}`;
}
