import { readPool } from '../../lib/client/anc/pool.ts';
import { systemClock } from '../../lib/clock.ts';
import { type LoadContext, poolState } from '../../load/endpoints/context.ts';
import { readInitialState } from '../../load/endpoints/initial-state.ts';
import { prepareCell } from '../../load/endpoints/prepare.ts';
import { type LoadPlan, type PlannedCell, planLoad } from '../../load/plan/plan.ts';
import type { LoadGiven } from '../../load/plan/spec.ts';
import { aClient } from './a-client.ts';
import { type AncStubOptions, ancStub } from './anc-target.ts';
import { stubOfTest } from './stub-target.ts';

export const pool = readPool('02:00:00:00:00:00+3000@10.0.0.0');

/** An apply and a clear cell of two seconds. */
export function aPlan(overrides: LoadGiven = {}): LoadPlan {
  const what = { profiles: ['60k'], operations: ['apply-by-mac', 'clear-by-mac'], depth: 'quick' } as const;
  const how = { ratePerSecond: 20, durationSeconds: 2, connections: 10, timeoutMs: 2000 };
  return planLoad({ ...what, ...how, ...overrides }, { pool, policy: 'Test' });
}

/** A load on a target of the test, which tells the truth but for what is bent. */
export async function aLoadContext(
  bent: AncStubOptions = {},
  plan: LoadPlan = aPlan(),
  open = stubOfTest,
  clock = systemClock,
) {
  const anc = ancStub(bent);
  const target = await open(anc.answer);
  const { client, journal } = aClient(target.baseUrl, { mode: 'full', pool: plan.pool, policies: ['Test'] }, clock);
  const context: LoadContext = {
    plan,
    client: client.view({ records: 'faults', ancJournal: 'covered' }),
    clock,
    state: poolState(plan.pool.size),
    signal: undefined,
  };
  const [apply, clear] = plan.cells as readonly [PlannedCell, PlannedCell];
  return { target, anc, client, context, journal, apply, clear };
}

/** Such a load whose pool was looked at, and whose clear cell is prepared: its endpoints hold the policy. `holds`: what others hold before. */
export async function aPreparedLoad(
  bent: AncStubOptions = {},
  clock = systemClock,
  holds: Record<string, string> = {},
) {
  const made = await aLoadContext(bent, aPlan(), stubOfTest, clock);
  for (const [mac, policy] of Object.entries(holds)) made.anc.held.set(mac, policy);
  await readInitialState(made.context);
  await prepareCell(made.context, made.clear, () => undefined);
  return made;
}
