import { counted } from '../../lib/numbers.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { applies, endpointsOf, type LoadContext, notePhase, reachableOf, residentsOf } from './context.ts';
import { setEndpoints } from './set-endpoints.ts';

/** Share of the endpoints that may stay as they were: the judge sees errors of state, or the population is a little smaller. */
const TOLERATED_SHARE = 0.01;

/** Brings the population and the endpoints of a cell into the state it starts from, unmeasured. Returns why the cell cannot be run. */
export async function prepareCell(
  context: LoadContext,
  cell: PlannedCell,
  onWork: (endpoints: number) => void,
): Promise<string | undefined> {
  const { plan, state } = context;
  const foreign = plan.spec.takeOver ? undefined : state.foreign();
  if (foreign !== undefined)
    return `${foreign}, which this load did not put there: nothing more is written to the pool`;
  const { resident = 0, endpointCount } = cell;
  const residents = residentsOf(plan);
  const phases: readonly ['policy' | 'nothing', PlannedCell | 'residents', readonly number[], number][] = [
    ['policy', 'residents', residents.slice(0, resident), residents.length],
    ['nothing', 'residents', residents.slice(resident), residents.length],
    // What an earlier cell reached beyond its plan is cleared as well: this one may reach it too.
    applies(cell)
      ? ['nothing', cell, reachableOf(cell), endpointCount]
      : ['policy', cell, endpointsOf(cell), endpointCount],
  ];
  for (const [want, whose, indexes, of] of phases) {
    const wrong = indexes.filter((index) => state.get(index) !== want);
    if (wrong.length === 0) continue;
    onWork(wrong.length);
    notePhase(context, whose, 'intent', want === 'policy' ? 'apply' : 'clear');
    const [first, ...others] = await setEndpoints(context, wrong, want);
    if (first === undefined || 1 + others.length <= TOLERATED_SHARE * of) continue;
    const what = want === 'policy' ? 'given the policy' : 'cleared';
    const example = `the first ${plan.pool.at(first).macAddress}`;
    return `${1 + others.length} of ${counted(of, 'endpoint')} could not be ${what} before the cell, ${example}`;
  }
  return undefined;
}
