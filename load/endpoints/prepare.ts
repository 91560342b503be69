import type { PlannedCell } from '../plan/plan.ts';
import { applies, endpointsOf, type LoadContext, notePhase, reachableOf } from './context.ts';
import { settleResidents } from './residents.ts';
import { setEndpoints } from './set-endpoints.ts';

/** Share of a cell's endpoints that may stay unprepared: they then show as errors of state, which the judge sees. */
const TOLERATED_SHARE = 0.01;

/**
 * Brings the endpoints of a cell into the state it starts from, unmeasured: those of an apply cell hold nothing, those
 * of a clear cell hold the policy. What an earlier cell left is used. Returns the reason why the cell cannot be run, or
 * undefined.
 */
export async function prepareCell(
  context: LoadContext,
  cell: PlannedCell,
  onWork: (endpoints: number) => void,
): Promise<string | undefined> {
  const unsettled = await settleResidents(context, cell, onWork);
  if (unsettled !== undefined) return unsettled;
  const want = applies(cell) ? 'nothing' : 'policy';
  // What an earlier cell reached beyond its plan is cleared as well: this one may reach it too.
  const touched = applies(cell) ? reachableOf(cell) : endpointsOf(cell);
  const wrong = touched.filter((index) => context.state.get(index) !== want);
  if (wrong.length === 0) return undefined;
  onWork(wrong.length);
  notePhase(context, cell, 'intent', want === 'policy' ? 'apply' : 'clear');
  const failed = await setEndpoints(context, wrong, want);
  if (failed.length <= cell.endpointCount * TOLERATED_SHARE) return undefined;
  const [first] = failed;
  const example = first === undefined ? '' : `, the first ${context.plan.pool.at(first).macAddress}`;
  return `${failed.length} of ${cell.endpointCount} endpoints could not be ${want === 'policy' ? 'given the policy' : 'cleared'} before the cell${example}`;
}
