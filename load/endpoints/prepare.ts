import { ancFamilyOf } from '../../lib/client/anc/lookup.ts';
import { counted } from '../../lib/numbers.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { applies, endpointsOf, type LoadContext, notePhase, reachableOf, residentsOf } from './context.ts';
import { setEndpoints } from './set-endpoints.ts';

/** Share of the endpoints that may stay as they were: the judge sees errors of state, or the population is a little smaller. */
const TOLERATED_SHARE = 0.01;

/** Writes the journal entry that covers the ANC writes on the resident endpoints; none where the plan has no such part. */
export function noteResidents(
  { client, plan }: LoadContext,
  event: 'intent' | 'cleared',
  operation: 'apply' | 'clear',
): void {
  if (plan.resident === undefined) return;
  const { offset, size } = plan.resident;
  const endpoints = { source: plan.pool.source, offset, size, seed: 1, count: size };
  client.note(event, { family: ancFamilyOf(client), operation, endpoints });
}

interface Phase {
  readonly want: 'policy' | 'nothing';
  readonly indexes: readonly number[];
  readonly of: number;
  readonly note: (operation: 'apply' | 'clear') => void;
}

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
  const ofCell = (operation: 'apply' | 'clear') => notePhase(context, cell, 'intent', operation);
  const ofResidents = (operation: 'apply' | 'clear') => noteResidents(context, 'intent', operation);
  const phases: readonly Phase[] = [
    { want: 'policy', indexes: residents.slice(0, resident), of: residents.length, note: ofResidents },
    { want: 'nothing', indexes: residents.slice(resident), of: residents.length, note: ofResidents },
    // What an earlier cell reached beyond its plan is cleared as well: this one may reach it too.
    applies(cell)
      ? { want: 'nothing', indexes: reachableOf(cell), of: endpointCount, note: ofCell }
      : { want: 'policy', indexes: endpointsOf(cell), of: endpointCount, note: ofCell },
  ];
  for (const { want, indexes, of, note } of phases) {
    const wrong = indexes.filter((index) => state.get(index) !== want);
    if (wrong.length === 0) continue;
    onWork(wrong.length);
    note(want === 'policy' ? 'apply' : 'clear');
    const [first, ...others] = await setEndpoints(context, wrong, want);
    if (first === undefined || 1 + others.length <= TOLERATED_SHARE * of) continue;
    const what = want === 'policy' ? 'given the policy' : 'cleared';
    const example = `the first ${plan.pool.at(first).macAddress}`;
    return `${1 + others.length} of ${counted(of, 'endpoint')} could not be ${what} before the cell, ${example}`;
  }
  return undefined;
}
