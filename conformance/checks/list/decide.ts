import type { Check, CheckContext } from '../../kit/check.ts';
import { NotTestable } from '../../kit/fault.ts';
import { judgeLooks, type ListPlan, type Told } from '../../plans/obvious/looks.ts';
import { type Population, population, undecided } from '../../plans/obvious/population.ts';

/** What lists show of records, in whatever order and on whatever page. */
export const isOfRecords = ({ kind, subject }: Told): boolean =>
  kind !== 'value' || (!subject.startsWith('member ') && subject !== 'links');

/** What lists show of records, and not how many are on a page. */
export const isOfPages: ListPlan['isAbout'] = (told) => isOfRecords(told) && told.requirement !== 'LST-SIZE';

/** What is about a subject that begins so. */
export const isOf =
  (beginning: string): ListPlan['isAbout'] =>
  ({ subject }) =>
    subject.startsWith(beginning);

/** At least so many records have to be shown, and left out; `told`: either of them; `parted`: about these, filters of one list have to differ; `needs`: what would be enough. */
interface Least {
  readonly shown?: number;
  readonly absent?: number;
  readonly told?: number;
  readonly parted?: number;
  readonly needs?: string;
}

/** Has the oracle judge the looks of a plan. Throws if what they show decides nothing. */
export async function decide(
  context: CheckContext,
  on: Population,
  plan: ListPlan,
  least: Least = {},
): Promise<undefined> {
  const { shown: leastShown = 1, absent: leastAbsent = 0, needs = 'two records with different values' } = least;
  const { done, why, isAsked, shown, absent, parted } = await judgeLooks(context, on, plan);
  // What was asked and not answered would not be answered with other records either.
  if (done === 0 && why !== undefined) throw new NotTestable(why, isAsked ? undefined : needs);
  context.witness('shown', shown);
  context.witness('left out', absent);
  if (parted < (least.parted ?? 0))
    throw undecided(on, context, { why: 'no known record fits one of the filters and not another', needs });
  if (shown < leastShown || absent < leastAbsent || shown + absent < (least.told ?? 0))
    throw undecided(on, context, {
      why: `too few known records to tell: ${shown} match the query and ${absent} do not`,
      needs,
    });
}

/** Has the oracle judge looks at all records of the family. */
export const looked =
  (plan: (context: CheckContext) => ListPlan, least: Least = { needs: 'a record' }): Check['run'] =>
  async (context) =>
    decide(context, await population(context), plan(context), least);
