import { ancFamilyOf } from '../../lib/client/anc/family.ts';
import type { PlannedCell } from '../plan/plan.ts';
import type { LoadContext } from './context.ts';
import { setEndpoints } from './set-endpoints.ts';

/** Share of the resident endpoints that may stay as they were: the population is then a little smaller. */
const TOLERATED_SHARE = 0.01;

/** Writes the journal entry that covers the ANC writes on the resident endpoints; none where the plan has no such part. */
export function noteResidents(
  { client, plan }: LoadContext,
  event: 'intent' | 'cleared',
  operation: 'apply' | 'clear',
): void {
  if (plan.resident === undefined) return;
  const { offset, size } = plan.resident;
  const endpoints = { source: plan.pool.source, offset, size, seed: 1, order: 'sequential' as const, count: size };
  client.note(event, { family: ancFamilyOf(client), operation, endpoints });
}

/**
 * Gives the population the size that a cell is to see: as many endpoints of the resident part hold the policy as its profile asks for, and
 * the others hold nothing. They stay so until another profile comes, and are cleared at the end of the load. Returns the reason why
 * the cell cannot be run, or undefined.
 */
export async function settleResidents(
  context: LoadContext,
  { resident = 0 }: PlannedCell,
  onWork: (endpoints: number) => void,
): Promise<string | undefined> {
  const { offset = 0, size = 0 } = context.plan.resident ?? {};
  const part = Array.from({ length: size }, (_, place) => offset + place);
  const phases = [
    { want: 'policy', operation: 'apply', indexes: part.slice(0, resident) },
    { want: 'nothing', operation: 'clear', indexes: part.slice(resident) },
  ] as const;
  for (const { want, operation, indexes } of phases) {
    const wrong = indexes.filter((index) => context.state.get(index) !== want);
    if (wrong.length === 0) continue;
    onWork(wrong.length);
    noteResidents(context, 'intent', operation);
    const failed = await setEndpoints(context, wrong, want);
    if (failed.length > TOLERATED_SHARE * part.length) {
      return `${failed.length} of ${wrong.length} resident endpoints could not be ${want === 'policy' ? 'given their policy' : 'cleared'}`;
    }
  }
  return undefined;
}
