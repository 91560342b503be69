import type { Exchange } from '../../lib/client/types.ts';
import { defined } from '../../lib/defined.ts';
import { pageNumber } from '../../lib/text.ts';
import type { Ran } from '../driver/run.ts';
import type { Step } from '../steps/step.ts';

/** What has to be so for a difference that a list shows which is read page by page, and not if it is read on one. */
export const SEVERAL_PAGES = 'the list takes more than one page';

/** More records than most lists hold; who takes fewer on a page is asked for fewer. */
const WHOLE = 100;

/** True if the list that was asked for last was read to a later page than its first. */
function isPaged(exchanges: readonly Exchange[]): boolean {
  const last = exchanges.findLast(({ request }) => request.op === 'list');
  return last !== undefined && pageNumber(last.request.path) > 1;
}

/** The sequence with pages of another size in its last list; undefined if it does not end with one. */
function sized(steps: readonly Step[], size: number | undefined): readonly Step[] | undefined {
  const last = steps.at(-1);
  if (last?.step !== 'look' || last.look.window !== 'list') return undefined;
  const { size: _, ...query } = last.look.query;
  return steps.with(-1, { ...last, look: { ...last.look, query: { ...query, ...defined({ size }) } } });
}

/** The sequence without the size that cuts its last list into pages. */
export const withoutSize = (steps: readonly Step[]): readonly Step[] => sized(steps, undefined) ?? steps;

/** True if a sequence shows a difference on several pages alone, twice by turns. */
export async function isOfSeveralPages(
  steps: readonly Step[],
  exchanges: readonly Exchange[],
  run: (steps: readonly Step[]) => Promise<Ran>,
  shows: (ran: Ran) => boolean,
): Promise<boolean> {
  const whole = sized(steps, WHOLE);
  if (whole === undefined || !isPaged(exchanges)) return false;
  for (const turn of [1, 2]) {
    const ran = await run(whole);
    if (shows(ran) || ran.notDone.has(whole.length - 1) || isPaged(ran.exchanges)) return false;
    if (turn === 1 && !shows(await run(steps))) return false;
  }
  return true;
}
