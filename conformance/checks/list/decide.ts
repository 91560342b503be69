import type { CheckContext } from '../../kit/check.ts';
import { NotTestable } from '../../kit/fault.ts';
import { judgeLooks, type ListPlan, type Told } from '../../plans/obvious/looks.ts';
import { type Population, undecided } from '../../plans/obvious/population.ts';

/** What lists show of records, in whatever order and on whatever page. */
export const isOfRecords = ({ kind, subject }: Told): boolean =>
  kind !== 'value' || (!subject.startsWith('member ') && subject !== 'links');

/** Needs at least this many records that the lists show, and leave out. */
interface Least {
  readonly shown?: number;
  readonly absent?: number;
  /** Either of them. */
  readonly told?: number;
  /** What would be enough. */
  readonly needs?: string;
}

/** Has the oracle judge the looks of a plan. Throws if what they show decides nothing. */
export async function decide(
  context: CheckContext,
  on: Population,
  plan: ListPlan,
  { shown: leastShown = 1, absent: leastAbsent = 0, told = 0, needs = 'two records with different values' }: Least = {},
): Promise<undefined> {
  const { done, why, shown, absent } = await judgeLooks(context, on, plan);
  if (done === 0 && why !== undefined) throw new NotTestable(why, needs);
  context.witness('shown', shown);
  context.witness('left out', absent);
  if (shown < leastShown || absent < leastAbsent || shown + absent < told)
    throw undecided(on, context, {
      why: `too few known records to tell: ${shown} match the query and ${absent} do not`,
      needs,
    });
}
