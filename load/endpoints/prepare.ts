import { holdingsOf } from '../../lib/client/anc/look.ts';
import { UnreadableState } from '../../lib/client/anc/state.ts';
import { counted } from '../../lib/text.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { applies, endpointsOf, type LoadContext, noteOther, notePhase, reachableOf } from './context.ts';
import { setEndpoints } from './set-endpoints.ts';

/** Share of the endpoints that may stay as they were: the judge sees errors of state. */
const TOLERATED_SHARE = 0.01;

/** Looks for policies of others on endpoints that are about to be written to, unless the list was compared; why nobody can tell, if so. */
async function lookAt(context: LoadContext, indexes: readonly number[]): Promise<string | undefined> {
  const { plan, state, client, signal } = context;
  if (state.isCompared || plan.spec.takeOver) return undefined;
  const macs = indexes.map((index) => plan.pool.at(index).macAddress);
  try {
    const { holdings } = await holdingsOf(client, macs, { among: () => false, signal });
    for (const [mac, held] of holdings) noteOther(context, mac, held);
  } catch (fault) {
    if (!(fault instanceof UnreadableState)) throw fault;
    return fault.message;
  }
  return undefined;
}

/** Brings the endpoints of a cell into the state it starts from, unmeasured. Returns why the cell cannot be run. */
export async function prepareCell(
  context: LoadContext,
  cell: PlannedCell,
  onWork: (endpoints: number) => void,
): Promise<string | undefined> {
  const { plan, state } = context;
  const stop = () => {
    const foreign = plan.spec.takeOver ? undefined : state.foreign;
    return foreign && `${foreign}, which this load did not put there: nothing more is written to the pool`;
  };
  if (stop() !== undefined) return stop();
  const want = applies(cell) ? 'nothing' : 'policy';
  // What an earlier cell reached beyond its plan is cleared as well: this one may reach it too.
  const indexes = want === 'nothing' ? reachableOf(cell) : endpointsOf(cell);
  const wrong = indexes.filter((index) => state.get(index) !== want);
  if (wrong.length === 0) return undefined;
  const unread = await lookAt(context, wrong);
  if ((unread ?? stop()) !== undefined) return unread ?? stop();
  onWork(wrong.length);
  notePhase(context, cell, 'intent', want === 'policy' ? 'apply' : 'clear');
  const [first, ...others] = (await setEndpoints(context, wrong, want)).failed;
  if (stop() !== undefined) return stop();
  if (first === undefined || 1 + others.length <= TOLERATED_SHARE * cell.endpointCount) return undefined;
  const what = want === 'policy' ? 'given the policy' : 'cleared';
  const example = `the first ${plan.pool.at(first).macAddress}`;
  return `${1 + others.length} of ${counted(cell.endpointCount, 'endpoint')} could not be ${what} before the cell, ${example}`;
}
