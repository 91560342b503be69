import type { Templates } from '../../conformance/engine/first-contact.ts';
import { openRun } from '../../conformance/engine/open-run.ts';
import { nothingServed } from '../../conformance/engine/service.ts';
import type { ConnectionTrial, ErsClient } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { ANC_OPERATION_NAMES } from '../../lib/contract/anc.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { TargetError, UsageError } from '../../lib/errors.ts';
import { EXIT } from '../../lib/exit-codes.ts';
import type { AncFindings } from '../../load/endpoints/context.ts';
import type { NamedPolicyPool } from '../../load/plan/cell-spec.ts';
import { type LoadPlan, reachingPlan } from '../../load/plan/plan.ts';
import { withPreparedPool } from '../../load/run/prepared-pool.ts';
import { bad, type Finding, good } from '../output/finding.ts';
import type { RunSession } from '../session/run-session.ts';

/** Connections that are opened at once: more than any real deployment is known to cap them at. */
const CONNECTIONS = 40;

/** Makes the first writes of a run: one record in each family, changed, removed and proven gone. Throws `TargetError` if none is served. */
export async function makeFirstContact(
  client: ErsClient,
  session: RunSession,
  { seed, templates }: { readonly seed: number; readonly templates: Templates },
) {
  const [names, signal] = [Object.keys(FAMILIES), session.signals.abort];
  const open = await openRun({
    ...{ client, signal, seed, templates, names, clock: systemClock, table: FAMILIES, depth: 'quick' },
    atOnce: 2,
  });
  const fault = nothingServed(open.services);
  if (fault !== undefined) throw fault;
  const [first = ''] = open.served;
  let connections: ConnectionTrial = { asked: 0, served: 0 };
  try {
    await open.begin(open.served);
    connections = await client.tryConnections(first, CONNECTIONS);
  } finally {
    session.addCleanup(await open.end());
  }
  // Families that take no further create, with the reason.
  const closed = new Map(names.map((name) => [name, client.closed(name)]));
  return { services: open.services, learned: open.run.learned, dialect: open.dialect, closed, connections };
}

export type FirstContact = Awaited<ReturnType<typeof makeFirstContact>>;

const AMONG = 64;

/** A plan that reaches the first endpoints of a pool with every operation, to try each of them once. */
function trialPlan(named: NamedPolicyPool): LoadPlan {
  const { pool } = named;
  const hasAddresses = pool.at(0).ipAddress !== undefined;
  const operations = ANC_OPERATION_NAMES.filter((name) => hasAddresses || !name.endsWith('-ip'));
  return reachingPlan({ operations }, named, Math.min(pool.size, AMONG));
}

const LOADABLE = 'no ANC operation can be loaded before this is mended';

/** Tries each ANC operation once on the endpoints of a pool, and clears them again: one line for each. Rejects if the run was ended. */
export async function operationFindings(
  session: RunSession,
  client: ErsClient,
  named: NamedPolicyPool,
): Promise<readonly Finding[]> {
  const plan = trialPlan(named);
  let found: AncFindings | undefined;
  const deps = { client, clock: systemClock, signal: session.signals.abort, onProgress: () => undefined };
  const result = await withPreparedPool(plan, deps, async ({ anc }) => {
    found = anc;
  });
  session.addCleanup(result.cleanup);
  session.signals.abort.throwIfAborted();
  const { fault } = result;
  // Others may have put policies on endpoints, before they are tried and meanwhile; what is left is told below.
  if (fault instanceof TargetError || fault instanceof UsageError)
    return [bad('ANC', fault.message, EXIT.untested, fault.hint ?? LOADABLE)];
  if (fault !== undefined) throw fault;
  if (found?.untaken !== undefined)
    return [bad('ANC', `applying "${named.policy}" by MAC address ${found.untaken}`, EXIT.untested, LOADABLE)];
  return plan.cells.map(({ operation }): Finding => {
    const refused = found?.refused?.[operation];
    const subject = `ANC ${operation}`;
    if (refused === undefined) return good(subject, 'taken');
    const mend = 'this is no question of speed: a load leaves this operation out and says so';
    return bad(subject, `refused: ${refused.why}`, EXIT.refused, mend);
  });
}
