import { hasOp } from '../../lib/contract/types.ts';
import type { CheckContext } from './check.ts';
import { Inconclusive, NotTestable } from './fault.ts';
import { homesOf } from './list/seeded-records.ts';

/** What the run could do about it, as an addition to what is needed; empty if the run may already make records. */
function otherwise({ family, table, run }: CheckContext): string {
  const homes = homesOf(family.name, table);
  if (homes.length > 0) return homes.some((home) => run.mayCreate(home)) ? '' : ', or --mode own-data';
  const isAnc = hasOp(family, 'apply') && run.endpoints === undefined;
  return isAnc ? ', or --mode full with --endpoints and --policy' : '';
}

/**
 * The fault of a check that finds too little on the target to decide. `needs` says what would be enough, as a noun phrase:
 * `two records with different names`. `own`: the records are those that the run made, of which there are enough, so
 * something went wrong: it is inconclusive and not a matter of what is on the target.
 */
export const tooLittle = (
  context: CheckContext,
  { own = false, why, needs }: { readonly own?: boolean; readonly why: string; readonly needs: string },
): Inconclusive | NotTestable => (own ? new Inconclusive(why) : new NotTestable(why, `${needs}${otherwise(context)}`));

/** True for a fault that says that too little is known to decide, whatever the reason. */
export const isUndecided = (fault: unknown): fault is Inconclusive | NotTestable =>
  fault instanceof Inconclusive || fault instanceof NotTestable;
